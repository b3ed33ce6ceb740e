//! Memory for a process that handles one event: an arena for what is small, the system for the
//! rest, and an answer for the host when the system has none.
//!
//! Most of what an event needs fits into a few pages. From the system's allocator each of them
//! costs a call and some cost a mapping, which is a third of the time of an event that starts
//! nothing; in the arena they lie side by side. Nothing but the newest block is taken back.

use crate::emergency;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The arena's size, in bytes. Pages that nobody touches cost nothing.
const SIZE: usize = 256 * 1024;

/// What is kept for the answer when the system has no memory left.
const RESERVE: usize = 32 * 1024;

/// Larger blocks come from the system.
const LARGEST: usize = 32 * 1024;

/// From this size on a block of the system's holds a huge page or more, in bytes.
const HUGE: usize = 4 * 1024 * 1024;

/// The allocator of `hookkit-dispatch`.
pub struct Allocator {
    arena: Arena,
}

impl Allocator {
    /// One for the whole process.
    #[expect(
        clippy::large_stack_arrays,
        reason = "it stands in a static, never on a stack"
    )]
    pub const fn new() -> Self {
        Self {
            arena: Arena {
                bytes: UnsafeCell::new([0; SIZE]),
                used: AtomicUsize::new(0),
            },
        }
    }
}

impl Default for Allocator {
    fn default() -> Self {
        Self::new()
    }
}

#[expect(unsafe_code, reason = "an allocator is unsafe by its trait")]
// SAFETY: blocks of the arena are disjoint (`Arena::take`); everything else is passed on to the
// system; where that gives nothing, the process ends.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.arena.take(layout).unwrap_or_else(|| {
            // SAFETY: the caller keeps the contract of `alloc`.
            given(unsafe { System.alloc(layout) }, layout.size())
        })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if let Some(block) = self.arena.take(layout) {
            // A block that was given back may have been written to.
            // SAFETY: the block is as large as the layout says and nobody else's.
            unsafe { block.write_bytes(0, layout.size()) };
            return block;
        }
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let Some(start) = self.arena.offset(block) else {
            // SAFETY: the block is the system's; the caller keeps the contract of `realloc`.
            return given(unsafe { System.realloc(block, layout, new_size) }, new_size);
        };
        if self.arena.resize(start, layout.size(), new_size) || new_size <= layout.size() {
            return block;
        }
        // SAFETY: the caller gives a size that makes a layout with this alignment; both blocks are
        // as large as what is copied, and the new one is nobody else's.
        unsafe {
            let new = self.alloc(Layout::from_size_align_unchecked(new_size, layout.align()));
            new.copy_from_nonoverlapping(block, layout.size());
            new
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        match self.arena.offset(block) {
            Some(start) => self.arena.give_back(start, layout.size()),
            // SAFETY: the block is the system's; the caller keeps the contract of `dealloc`.
            None => unsafe { System.dealloc(block, layout) },
        }
    }
}

/// A block of the system's.
fn given(block: *mut u8, size: usize) -> *mut u8 {
    if block.is_null() {
        emergency::answer();
    }
    if size >= HUGE {
        ask_for_huge_pages(block, size);
    }
    block
}

/// Each page of 4 KiB that a large payload touches is a fault of its own, which takes longer than
/// to copy what it holds.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "advice about memory has no safe binding")]
fn ask_for_huge_pages(block: *mut u8, size: usize) {
    const PAGE: usize = 4096;
    let before = block.addr() % PAGE;
    // SAFETY: the advice changes nothing that is in the pages; the block's own first page and all
    // pages up to its end are mapped. A system without such pages, or with larger ones, refuses.
    unsafe {
        libc::madvise(
            block.wrapping_sub(before).cast(),
            size + before,
            libc::MADV_HUGEPAGE,
        );
    }
}

#[cfg(not(target_os = "linux"))]
fn ask_for_huge_pages(_block: *mut u8, _size: usize) {}

/// Blocks one after the other, from the start to `used`.
struct Arena {
    bytes: UnsafeCell<[u8; SIZE]>,
    used: AtomicUsize,
}

#[expect(unsafe_code, reason = "threads share the arena")]
// SAFETY: `bytes` is only reached through blocks, which are disjoint.
unsafe impl Sync for Arena {}

impl Arena {
    fn start(&self) -> *mut u8 {
        self.bytes.get().cast()
    }

    /// Where blocks must end.
    fn end() -> usize {
        if emergency::is_answering() {
            SIZE
        } else {
            SIZE - RESERVE
        }
    }

    /// A block behind all others; `None` when it does not fit.
    fn take(&self, layout: Layout) -> Option<*mut u8> {
        if layout.size() > LARGEST {
            return None;
        }
        let base = self.start().addr();
        let mut used = self.used.load(Ordering::Relaxed);
        loop {
            let start = (base + used).checked_next_multiple_of(layout.align())? - base;
            let end = start + layout.size();
            if end > Self::end() {
                return None;
            }
            match self
                .used
                .compare_exchange_weak(used, end, Ordering::AcqRel, Ordering::Relaxed)
            {
                Ok(_) => return Some(self.start().wrapping_add(start)),
                Err(now) => used = now,
            }
        }
    }

    /// Where a block begins in the arena; `None` for one of the system's.
    fn offset(&self, block: *mut u8) -> Option<usize> {
        let offset = block.addr().wrapping_sub(self.start().addr());
        (offset < SIZE).then_some(offset)
    }

    /// Makes a block larger or smaller where it stands, if it is the newest.
    fn resize(&self, start: usize, size: usize, new_size: usize) -> bool {
        start + new_size <= Self::end()
            && new_size <= LARGEST
            && self
                .used
                .compare_exchange(
                    start + size,
                    start + new_size,
                    Ordering::AcqRel,
                    Ordering::Relaxed,
                )
                .is_ok()
    }

    /// Takes a block back, if it is the newest.
    fn give_back(&self, start: usize, size: usize) {
        let _ =
            self.used
                .compare_exchange(start + size, start, Ordering::AcqRel, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(unsafe_code, reason = "calls an allocator")]
    fn blocks_are_aligned_disjoint_and_keep_what_is_in_them() {
        let allocator = Box::new(Allocator::new());
        let mut blocks: Vec<(*mut u8, Layout, u8)> = Vec::new();
        for index in 0..2000_usize {
            let size = 1 + (index * 37) % 700;
            let layout = Layout::from_size_align(size, 1 << (index % 6)).expect("a layout");
            let mark = u8::try_from(index % 251).expect("a byte");
            // SAFETY: sizes are not zero, and each block is freed once with its own layout.
            unsafe {
                let mut block = allocator.alloc_zeroed(layout);
                assert!(block.addr().is_multiple_of(layout.align()));
                assert!((0..size).all(|at| *block.add(at) == 0));
                block.write_bytes(mark, size);
                let mut layout = layout;
                if index % 3 == 0 {
                    block = allocator.realloc(block, layout, size * 2);
                    assert!((0..size).all(|at| *block.add(at) == mark));
                    block.write_bytes(mark, size * 2);
                    layout = Layout::from_size_align(size * 2, layout.align()).expect("a layout");
                }
                if index % 5 == 0 {
                    allocator.dealloc(block, layout);
                } else {
                    blocks.push((block, layout, mark));
                }
            }
        }
        for (block, layout, mark) in blocks {
            // SAFETY: the block is alive until it is freed here.
            unsafe {
                assert!((0..layout.size()).all(|at| *block.add(at) == mark));
                allocator.dealloc(block, layout);
            }
        }
    }
}
