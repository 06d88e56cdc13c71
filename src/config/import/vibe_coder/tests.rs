use super::super::tests::{home, left, proposed};
use super::super::{Why, plan};

const CONFIG: &str = "\u{feff}# mine\nMODEL=\"qwen3:8b\"\nSIDECAR_MODEL='qwen3:1.7b'\nOLLAMA_HOST=http://localhost:11434/\n\
    MAX_TOKENS=4096\nCONTEXT_WINDOW=many\nTEMPERATURE=0.2\nTOOLUSE_MODEL=x\nEMPTY=\n";

#[test]
fn models_limits_rules_servers_and_skills_come_over_and_what_would_allow_is_kept_apart() {
    let home = home(&[
        (".config/vibe-coder/config", "MODEL=older\nTEMPERATURE=0.9\n"),
        (".config/vibe-local/config", CONFIG),
        (
            ".config/vibe-local/permissions.json",
            r#"{"Write": "allow", "Bash": "allow", "WebFetch": "deny", "Read": 1}"#,
        ),
        (
            ".config/vibe-local/mcp.json",
            r#"{"mcpServers": {"docs": {"command": "npx", "args": ["docs"], "env": {"TOKEN": "very-hidden"}}}}"#,
        ),
        (".config/vibe-local/skills/review.md", "# Review"),
    ]);
    let plan = plan("vibe-coder", home.path()).unwrap();
    let wanted = [
        (
            "provider.ollama",
            r#"{"api":"ollama","base_url":"http://localhost:11434/v1"}"#,
        ),
        ("model", r#""ollama/qwen3:8b""#),
        ("provider.ollama.models.qwen3:8b.temperature", "0.2"),
        ("small_model", r#""ollama/qwen3:1.7b""#),
        ("provider.ollama.models.qwen3:8b.output", "4096"),
        ("permission.WebFetch.*", r#""deny""#),
        (
            "mcp.docs",
            r#"{"command":["npx","docs"],"environment":{"TOKEN":"${TOKEN}"}}"#,
        ),
        ("skills.paths", r#"["~/.config/vibe-local/skills"]"#),
    ];
    let proposed = proposed(&plan);
    let shown: Vec<(&str, &str)> = proposed.iter().map(|(path, value)| (&**path, &**value)).collect();
    assert_eq!(shown, wanted);
    assert_eq!(
        plan.allows.len(),
        1,
        "commands are never allowed there: {:?}",
        plan.allows
    );
    assert_eq!(plan.allows[0].path[1], "Write");
    for (theirs, why) in [
        ("permissions.Bash", Why::Nothing),
        ("permissions.Read", Why::Form),
        ("CONTEXT_WINDOW", Why::Form),
        ("TOOLUSE_MODEL", Why::Nothing),
        ("mcpServers.docs.env.TOKEN", Why::Variable("TOKEN".to_owned())),
    ] {
        assert_eq!(left(&plan, theirs), Some(&why), "{theirs}");
    }
    assert!(!format!("{plan:?}").contains("very-hidden"));
}

#[test]
fn a_link_is_not_read_and_an_address_with_a_name_in_it_is_left_with_all_that_is_there() {
    let text = "OLLAMA_HOST=http://me:pw@box:1\nMODEL=a\nMAX_TOKENS=1\n";
    let home = home(&[("elsewhere", "MODEL=stolen"), (".config/vibe-coder/config", text)]);
    let folder = home.path().join(".config/vibe-local");
    std::fs::create_dir_all(&folder).unwrap();
    std::os::unix::fs::symlink(home.path().join("elsewhere"), folder.join("config")).unwrap();
    let plan = plan("vibe-coder", home.path()).unwrap();
    assert_eq!(proposed(&plan), []);
    assert_eq!(left(&plan, "OLLAMA_HOST"), Some(&Why::Secret));
    assert_eq!(left(&plan, "MODEL"), Some(&Why::Nothing));
    let link = folder.join("config").display().to_string();
    assert_eq!(left(&plan, &link), Some(&Why::Link));
}
