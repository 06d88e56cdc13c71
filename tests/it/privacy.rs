//! Tests that only Benchdog has the endpoint's key. No command can read it from Benchdog, from Benchdog's child
//! processes, or from memory.

use std::os::unix::fs::PermissionsExt;

use rustix::process::Signal;
use serde_json::json;

use crate::support::bench::waits;
use crate::support::home::{Home, config};
use crate::support::reply::{call, text};
use crate::support::server::Server;

/// Two halves of the key. Commands contain them separately, so a complete match is the key itself.
const HALVES: [&str; 2] = ["kennwort-der-", "gegenstelle-4711"];

/// Returns a home for the test user, and one for an unprivileged user if possible. The key is in the environment.
fn homes(server: &Server) -> Vec<(&'static str, Home)> {
    let new = || {
        let home = Home::bare().env("KIT_API_KEY", &HALVES.concat());
        let mut config = config(&server.base_url());
        config["provider"]["kit"]["api_key_env"] = json!(["KIT_API_KEY"]);
        home.configure(&config);
        home
    };
    let nobody = new().of_nobody().map(|home| ("nobody", home));
    [("ourselves", new())].into_iter().chain(nobody).collect()
}

/// Runs `script` in a call, as every user, and returns its output. `$us` in the script is Benchdog's process id.
fn told(script: &str) -> Vec<(&'static str, String)> {
    let server = Server::start();
    let climb =
        "us=$$; until grep -q '^benchdog' /proc/$us/comm; do us=$(sed 's/.*) . //; s/ .*//' /proc/$us/stat); done";
    let mut found = Vec::new();
    for (who, home) in homes(&server) {
        home.file(
            "probe",
            &format!("#!/bin/bash\n{climb}\n{script}\necho looked around\n"),
        );
        let probe = home.path("probe");
        std::fs::set_permissions(&probe, std::fs::Permissions::from_mode(0o755)).expect("a script that can be started");
        server.script([call("bash", json!({"command": "./probe"})), text("Done.")]);
        let bench = home.bench(&[]);
        bench.ask("look around");
        bench.wait_for("a question or the end", |screen| waits(screen) || screen.has("Done."));
        if bench.look(waits) {
            bench.accept("probe");
        }
        bench.wait_for_text("Done.");
        bench.leave();
        let requests = server.requests();
        let request = requests.last().expect("a request");
        let authorization = request.header("authorization").unwrap_or_default();
        assert!(authorization.ends_with(&HALVES.concat()), "{who}: the key is in use");
        let said = request.last("tool");
        assert!(said.contains("looked around"), "{who}: {said}");
        found.push((who, said.to_owned()));
    }
    found
}

#[track_caller]
fn assert_key_not_told(script: &str) {
    for (who, said) in told(script) {
        assert!(!said.contains(HALVES[1]), "{who}: {said}");
    }
}

#[test]
fn the_environment_of_the_program_that_started_a_command_is_closed_to_it() {
    assert_key_not_told("tr '\\0' '\\n' < /proc/$us/environ; cat /proc/$us/cmdline /proc/$us/task/*/environ; env");
}

#[test]
fn no_environment_that_a_command_can_read_holds_the_key() {
    // Other tests run at the same time, and their programs have the same key. Commands cannot read it there, either.
    let [one, two] = HALVES;
    assert_key_not_told(&format!(
        "one={one}; two={two}\nfor file in /proc/[0-9]*/environ; do\n\
         (tr '\\0' '\\n' < $file) 2>/dev/null | grep -a \"^KIT_API_KEY=$one\"\ndone"
    ));
}

#[test]
fn what_left_its_session_cannot_read_us_either() {
    assert_key_not_told(
        "(setsid sh -c \"(sleep 0.2; tr '\\\\0' '\\\\n' < /proc/$us/environ; echo tried) & exit\" > out 2>&1 &)\n\
         until grep -qs tried out; do sleep 0.02; done; cat out",
    );
}

#[test]
fn our_memory_cannot_be_read_and_we_cannot_be_traced() {
    let script = "head -c 1 /proc/$us/mem && echo + memory
ls -l /proc/$us/fd/ && echo + files
cat /proc/$us/maps && echo + maps
command -v strace && timeout 1 strace -p $us 2>&1 | grep -i attached && echo + traced
command -v gdb && gdb -p $us --batch -ex 'info proc' 2>&1 | grep -a 'exe = ' && echo + debugged";
    for (who, said) in told(script) {
        assert!(!said.contains("+ "), "{who}: {said}");
    }
}

#[test]
fn of_all_processes_only_the_program_itself_has_the_key() {
    let server = Server::start();
    for (who, home) in homes(&server) {
        server.script([call("bash", json!({"command": "sleep 67.1"}))]);
        let run = home.start(&["run", "--approve", "all", "wait"], None);
        home.wait_for_process("sleep 67.1");
        let key = HALVES.concat();
        let carries = |pid: u32, file: &str| {
            let bytes = std::fs::read(format!("/proc/{pid}/{file}")).unwrap_or_default();
            bytes.windows(key.len()).any(|part| part == key.as_bytes())
        };
        let mark = format!("\0benchdog-keeper\0{}\0", run.pid());
        let processes = std::fs::read_dir("/proc").expect("the list of processes");
        let pids: Vec<u32> = processes
            .flatten()
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .collect();
        let is_keeper =
            |pid: &&u32| std::fs::read_to_string(format!("/proc/{pid}/cmdline")).is_ok_and(|line| line.contains(&mark));
        let keeper = pids.iter().find(is_keeper).copied();
        let ours: Vec<u32> = home.processes().into_iter().map(|(pid, _)| pid).chain(keeper).collect();
        assert!(keeper.is_some() && ours.len() > 2, "{who}: {:?}", home.processes());
        for pid in ours {
            assert!(!carries(pid, "cmdline"), "{who}: process {pid}");
            assert!(pid == run.pid() || !carries(pid, "environ"), "{who}: process {pid}");
        }
        run.signal(Signal::INT);
        run.wait();
    }
}

#[test]
fn the_editor_of_the_person_does_not_carry_the_key_where_a_command_could_read_it() {
    let server = Server::start();
    for (who, home) in homes(&server) {
        let editor = home.outside().join("project/editor");
        std::fs::write(&editor, "env > \"$1\"\n").expect("an editor");
        let home = home.env("EDITOR", &format!("sh {}", editor.display()));
        let bench = home.bench(&[]);
        bench.keys("ctrl-g");
        bench.wait_for_text("LANG=C.UTF-8");
        assert!(!bench.look(|screen| screen.has(HALVES[1])), "{who}");
        bench.keys("ctrl-c");
        bench.leave();
    }
}

#[test]
fn root_in_a_command_still_does_the_work_of_root() {
    if !rustix::process::geteuid().is_root() {
        println!("not checked: only root has work of root to do");
        return;
    }
    let script = "touch file && chown 65534:65534 file && chmod 4755 file && stat -c '%u %a' file
setpriv --reuid 65534 --clear-groups id -u
kill -0 1 && echo root as ever
command -v strace && strace -o trace true && grep -q exit trace && echo + traces its own";
    let (_, said) = told(script).swap_remove(0);
    assert!(said.contains("65534 4755\n65534\nroot as ever"), "{said}");
    assert!(!said.contains("/strace") || said.contains("+ traces its own"), "{said}");
}
