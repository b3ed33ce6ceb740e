//! JSON as it is written into files: two blanks of indentation, pure ASCII, a final newline.
//!
//! ASCII because a registration passes through consoles, shells and editors of unknown encoding
//! before somebody reads it. The order of members is the order of the types that are written.

use serde::Serialize;
use serde_json::ser::{CharEscape, Formatter, PrettyFormatter, Serializer};
use std::io::{self, Write};

/// Renders one document.
pub(crate) fn document(value: &impl Serialize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut bytes, Ascii(PrettyFormatter::new()));
    // Writing to memory does not fail, and every type here has texts as keys.
    let written = value.serialize(&mut serializer);
    debug_assert!(written.is_ok(), "{written:?}");
    bytes.push(b'\n');
    bytes
}

/// The pretty form, with everything outside ASCII escaped.
struct Ascii(PrettyFormatter<'static>);

impl Formatter for Ascii {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        for character in fragment.chars() {
            if character.is_ascii() {
                writer.write_all(&[character as u8])?;
            } else {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    write!(writer, "\\u{unit:04x}")?;
                }
            }
        }
        Ok(())
    }

    fn write_char_escape<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        escape: CharEscape,
    ) -> io::Result<()> {
        self.0.write_char_escape(writer, escape)
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_array(writer)
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_array_value(writer, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array_value(writer)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_ascii_and_ends_with_a_newline() {
        #[derive(Serialize)]
        struct Sample {
            name: &'static str,
            list: [u8; 2],
        }
        let sample = Sample {
            name: "\u{e9} \u{1f600} \"\n",
            list: [1, 2],
        };
        assert_eq!(
            String::from_utf8(document(&sample)).expect("ASCII"),
            "{\n  \"name\": \"\\u00e9 \\ud83d\\ude00 \\\"\\n\",\n  \"list\": [\n    1,\n    2\n  ]\n}\n"
        );
    }
}
