//! Tests with the five published MCP servers in one session. `BENCHDOG_REAL_MCP` is the folder in which
//! `tests/it/real/mcp-servers` installed them. The model is the test server's.
//!
//! Also runs the public client scenarios. They use HTTP, so a bridge converts them to stdio.

use serde_json::json;

use crate::support::home::{Home, config};
use crate::support::reply::{call, text};
use crate::support::server::Server;

#[test]
#[ignore = "needs the published servers; BENCHDOG_REAL_MCP names their folder"]
fn five_published_servers_work_in_one_session() {
    let folder = super::told("BENCHDOG_REAL_MCP").expect("BENCHDOG_REAL_MCP names the folder of the servers");
    let node = |name: &str| format!("{folder}/npm/node_modules/@modelcontextprotocol/server-{name}/dist/index.js");
    let model = Server::start();
    let home = Home::bare();
    home.repository();
    home.file("a.txt", "one line\n");
    let project = home.project().canonicalize().unwrap().display().to_string();
    let mut configuration = config(&model.base_url());
    configuration["mcp"] = json!({
        "everything": {"command": ["node", node("everything"), "stdio"]},
        "files": {"command": ["node", node("filesystem"), project]},
        "memory": {"command": ["node", node("memory")], "environment": {"MEMORY_FILE_PATH": home.outside().join("memory.json")}},
        "git": {"command": [format!("{folder}/venv/bin/mcp-server-git")]},
        "time": {"command": [format!("{folder}/venv/bin/mcp-server-time"), "--local-timezone", "UTC"]},
    });
    home.configure(&configuration);
    // Cache the offers, so that the session has all of them from the start.
    let checked = home.run(&["mcp", "check"]);
    checked.assert_code(0);
    let entity = json!({"entities": [{"name": "bench", "entityType": "tool", "observations": ["it holds"]}]});
    let calls = [
        ("everything__echo", json!({"message": "hello"}), "hello"),
        ("everything__get-tiny-image", json!({}), "an image, PNG"),
        (
            "everything__get-structured-content",
            json!({"location": "New York"}),
            "temperature",
        ),
        (
            "everything__trigger-long-running-operation",
            json!({"duration": 2, "steps": 2}),
            "completed",
        ),
        (
            "files__read_text_file",
            json!({"path": format!("{project}/a.txt")}),
            "one line",
        ),
        (
            "files__read_text_file",
            json!({"path": "/etc/hostname"}),
            "outside allowed directories",
        ),
        ("memory__create_entities", entity, "bench"),
        ("memory__search_nodes", json!({"query": "holds"}), "it holds"),
        ("git__git_status", json!({"repo_path": project}), "a.txt"),
        ("time__get_current_time", json!({"timezone": "UTC"}), "UTC"),
    ];
    // Some tools are declared, and others are found on demand. `mcp_call` accepts both.
    model.script(
        calls
            .iter()
            .map(|(tool, arguments, _)| call("mcp_call", json!({"tool": tool, "arguments": arguments}))),
    );
    model.script([text("All of them.")]);
    let run = home.run(&["run", "--approve", "all", "--output", "stream-json", "use all five"]);
    run.assert_code(0);
    for (at, (tool, _, wanted)) in calls.iter().enumerate() {
        let told = model.request(at + 2).last("tool").to_owned();
        assert!(told.contains(wanted), "{tool}: {told}");
    }
    let progress = run.events("tool_output");
    assert!(
        progress
            .iter()
            .any(|one| one["text"].as_str().is_some_and(|text| text.starts_with("1/2"))),
        "{run}"
    );
    assert_eq!(run.events("tool_finished").len(), calls.len(), "{run}");
    home.assert_gone("server-", std::time::Duration::from_secs(5));
    model.assert_append_only();
}

#[test]
#[ignore = "needs the public scenarios; BENCHDOG_REAL_MCP names their folder"]
fn the_public_scenarios_for_clients_pass() {
    let folder = super::told("BENCHDOG_REAL_MCP").expect("BENCHDOG_REAL_MCP names the folder of the servers");
    let node = format!("{folder}/node22/node_modules/.bin/node");
    let model = Server::start();
    let home = Home::bare();
    let bridge = format!("{folder}/npm/node_modules/supergateway/dist/index.js");
    let mut configuration = config(&model.base_url());
    configuration["mcp"] =
        json!({"conf": {"command": [node, bridge, "--streamableHttp", "@URL@", "--logLevel", "none"]}});
    let form = home.outside().join("form.jsonc");
    std::fs::write(&form, configuration.to_string()).unwrap();
    // The last argument is the address. The second run declares the first list.
    let own = home.benchdog_home().join("config.jsonc").display().to_string();
    let program = &home.program[0];
    let script = format!(
        "#!/bin/sh\nfor url; do :; done\nsed \"s|@URL@|$url|\" {} > {own}\n{program} mcp check < /dev/null\nexec {program} run --approve all go < /dev/null\n",
        form.display()
    );
    let wrap = home.outside().join("wrap.sh");
    std::fs::write(&wrap, script).unwrap();
    for (scenario, calls) in [("initialize", 0), ("tools_call", 1)] {
        model.script((0..calls).map(|_| call("conf__add_numbers", json!({"a": 5, "b": 3}))));
        model.script([text("Done.")]);
        let ours = home.command(&[]);
        let environment = ours.get_envs().filter_map(|(name, value)| Some((name, value?)));
        let said = home.outside().join("said");
        // A pipe would lose the output.
        let file = std::fs::File::create(&said).unwrap();
        let mut suite = std::process::Command::new(&node);
        suite.current_dir(home.project()).env_clear().envs(environment);
        suite.arg(format!(
            "{folder}/npm/node_modules/@modelcontextprotocol/conformance/dist/index.js"
        ));
        suite
            .args(["client", "--command"])
            .arg(format!("sh {}", wrap.display()));
        suite.args(["--scenario", scenario, "--timeout", "60000"]);
        suite
            .stdin(std::process::Stdio::null())
            .stderr(file.try_clone().unwrap())
            .stdout(file);
        suite.status().expect("the suite starts");
        let said = std::fs::read_to_string(said).unwrap();
        assert!(said.contains("OVERALL: PASSED"), "{scenario}: {said}");
    }
}
