//! Files that note who ran them.

use std::path::PathBuf;

use hookkit_tests::client::Session;
use hookkit_tests::program;

/// Files that write one line when they run: their name, and the names of the processes above them.
pub(crate) struct Traps {
    log: PathBuf,
}

impl Traps {
    pub(crate) fn of(session: &Session<'_>) -> Self {
        Self {
            log: session.places().root().join("traps"),
        }
    }

    pub(crate) fn sprung(&self) -> Vec<String> {
        std::fs::read_to_string(&self.log)
            .unwrap_or_default()
            .lines()
            .map(str::to_owned)
            .collect()
    }

    /// Notes itself and then does what the real program of that name does, so that nobody notices.
    pub(crate) fn program(&self, name: &str) -> String {
        let real = program::found(name).unwrap_or_else(|| PathBuf::from("/bin/false"));
        format!(
            "#!/bin/sh\n{}exec '{}' \"$@\"\n",
            self.shell(name),
            real.display()
        )
    }

    pub(crate) fn shell(&self, name: &str) -> String {
        format!(
            r#"(
  pid=$$ chain=
  while [ "$pid" -gt 1 ]; do
    while read -r key value; do
      case $key in Name:) chain="$chain<$value" ;; PPid:) pid=$value ;; esac
    done < "/proc/$pid/status"
  done
  echo "{name} $chain" >> '{log}'
)
"#,
            log = self.log.display()
        )
    }

    pub(crate) fn python(&self, name: &str) -> String {
        format!(
            r#"
import os
pid, chain = os.getpid(), ""
while pid > 1:
    with open("/proc/%d/status" % pid) as status:
        fields = dict(line.rstrip("\n").split(":\t", 1) for line in status if ":\t" in line)
    chain += "<" + fields["Name"]
    pid = int(fields["PPid"])
with open("{log}", "a") as log:
    log.write("{name} " + chain + "\n")
"#,
            log = self.log.display()
        )
    }

    pub(crate) fn node(&self, name: &str) -> String {
        format!(
            r"
const fs = require('fs');
let chain = '';
for (let pid = process.pid; pid > 1;) {{
  const status = fs.readFileSync(`/proc/${{pid}}/status`, 'utf8');
  chain += '<' + /^Name:\t(.*)$/m.exec(status)[1];
  pid = Number(/^PPid:\t(.*)$/m.exec(status)[1]);
}}
fs.appendFileSync('{log}', `{name} ${{chain}}\n`);
",
            log = self.log.display()
        )
    }
}
