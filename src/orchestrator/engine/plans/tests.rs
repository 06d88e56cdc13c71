use super::*;

#[test]
fn a_plan_is_named_by_its_day_and_its_first_words() {
    let at = Time(1_700_000_000_000);
    assert_eq!(
        name_of("# Plan: mend the *rounding*!\n1. x", at),
        "plan-2023-11-14-plan-mend-the-rounding.md"
    );
    assert_eq!(name_of("購物車の計画", at), "plan-2023-11-14-購物車の計画.md");
    assert_eq!(name_of("---\n", at), "plan-2023-11-14.md");
    assert!(name_of(&"word ".repeat(100), at).len() < 70);
    assert!(!name_of("../../etc/passwd", at).contains('/'));
}

#[test]
fn a_plan_is_found_by_its_path_by_a_part_of_its_name_or_as_the_newest() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    std::fs::create_dir(root.join("docs")).unwrap();
    for name in [
        "plan-2026-01-02-Cents.md",
        "plan-2026-03-01-cents-again.md",
        "plan.txt",
        "docs/later.md",
    ] {
        std::fs::write(root.join(name), "1. x\n").unwrap();
    }
    std::fs::write(root.join("plan-2025-01-01.md"), " \n").unwrap();
    let workspace = Workspace::open(&root, &[], &[]).unwrap();
    let meant = |named: &str| found(&workspace, named);
    assert_eq!(meant("").unwrap(), "plan-2026-03-01-cents-again.md");
    assert_eq!(meant("docs/later.md").unwrap(), "docs/later.md");
    assert_eq!(meant("01-02").unwrap(), "plan-2026-01-02-Cents.md");
    let both = ["plan-2026-03-01-cents-again.md", "plan-2026-01-02-Cents.md"];
    let names = both.map(str::to_owned).into();
    assert_eq!(meant("cents"), Err(NoPlanFile::Several { names }));
    for named in ["nosuch", "../elsewhere.md", "/etc/passwd"] {
        let named = named.to_owned();
        assert_eq!(meant(&named), Err(NoPlanFile::NoSuch { named }));
    }
    let path = "plan-2025-01-01.md".to_owned();
    assert_eq!(text_of(&workspace, &path), Err(NoPlanFile::Empty { path }));
    assert!(matches!(text_of(&workspace, "docs"), Err(NoPlanFile::Unread { .. })));
}
