//! A repository on a disk that is full.

use fs_err as fs;
use hookkit_tests::disk::Disk;
use hookkit_tests::program;

use crate::{FOLDER, Repository, gate};

const PAGE: u64 = 4096;

#[test]
fn a_full_disk_leaves_the_repository_as_it_was() {
    let dispatcher = fs::metadata(program::dispatcher())
        .unwrap()
        .len()
        .div_ceil(PAGE);
    let rooms = [0, 1, 4, 16, dispatcher, dispatcher + 64];
    let mut failed = 0;
    for pages in rooms {
        let repository = Repository::new(None);
        let size = format!("size={}", 3 * (dispatcher + 512) * PAGE);
        let Some(disk) = Disk::at(&repository.root(), &size) else {
            return;
        };
        repository.git(&["init", "--quiet"]);
        repository.write("README.md", "# A project\n");
        repository.commit();
        disk.leaves(usize::try_from(pages).unwrap());
        let before = repository.snapshot();
        let plugin = gate("1.0.0", "No.");
        let ran = repository.install(&plugin, &["--yes"]).run();
        if ran.exited(0) {
            assert!(repository.join(FOLDER).join("hookkit.json").is_file());
            repository.uninstalls("gatekeeper");
        } else {
            failed += 1;
            assert!(ran.exited(1) || ran.exited(3), "{pages}: {:?}", ran.code);
        }
        assert_eq!(repository.snapshot(), before, "{pages}");
    }
    assert!(0 < failed && failed < rooms.len(), "{failed} did not work");
}
