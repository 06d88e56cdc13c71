//! Command lines and their classes, from a corpus and from what is made up.

use std::collections::BTreeMap;

use super::*;

/// The folder the corpus was observed in.
struct Bench(BTreeMap<&'static str, &'static str>);

/// A disk with nothing on it.
struct EmptyWorld;

impl World for EmptyWorld {
    fn exists(&self, _path: &str) -> bool {
        false
    }

    fn is_folder(&self, _path: &str) -> bool {
        false
    }

    fn read_small(&self, _path: &str) -> Option<String> {
        None
    }

    fn names(&self, _folder: &str) -> Vec<String> {
        Vec::new()
    }
}

fn bench() -> Bench {
    let files = [
        "notes.txt",
        "data.csv",
        "README.md",
        "Cargo.toml",
        "files.lst",
        "big.lst",
        "src/main.rs",
        "src/lib.rs",
        "build/out.o",
        "old/a.txt",
        "old/b.tmp",
        "link.txt",
    ];
    let mut all: BTreeMap<_, _> = files.into_iter().map(|name| (name, "x\n")).collect();
    all.insert("big.lst", "ls\nrm notes.txt\n");
    all.insert("run.sh", "#!/bin/sh\necho hi\n");
    all.insert("rmnotes.sh", "#!/bin/sh\nrm notes.txt\n");
    all.insert("pre.sh", "#!/bin/sh\nrm -f notes.txt\ncat\n");
    Bench(all)
}

impl Bench {
    fn clean(path: &str) -> String {
        let mut parts: Vec<&str> = Vec::new();
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop();
                }
                other => parts.push(other),
            }
        }
        parts.join("/")
    }
}

impl World for Bench {
    fn exists(&self, path: &str) -> bool {
        let path = Self::clean(path);
        self.0.contains_key(path.as_str()) || self.is_folder(&path)
    }

    fn is_folder(&self, path: &str) -> bool {
        let path = Self::clean(path);
        path.is_empty() || self.0.keys().any(|name| name.starts_with(&format!("{path}/"))) || path == ".git"
    }

    fn read_small(&self, path: &str) -> Option<String> {
        self.0.get(Self::clean(path).as_str()).map(|text| (*text).to_owned())
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let start = if folder.is_empty() {
            String::new()
        } else {
            format!("{folder}/")
        };
        let inside = self.0.keys().filter_map(|name| name.strip_prefix(start.as_str()));
        inside
            .map(|rest| rest.split('/').next().unwrap_or("").to_owned())
            .collect()
    }
}

struct Case {
    id: String,
    label: String,
    command: String,
}

fn corpus() -> Vec<Case> {
    let text = include_str!("../../../tests/data/shell.tsv");
    let rows = text.lines().skip(1).filter(|line| !line.trim().is_empty());
    rows.map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        Case {
            id: columns[0].to_owned(),
            label: columns[2].to_owned(),
            command: serde_json::from_str(columns[4]).unwrap(),
        }
    })
    .collect()
}

#[test]
fn every_line_of_the_corpus_gets_its_class() {
    let world = bench();
    let mut wrong = Vec::new();
    for case in corpus() {
        let analysis = analyse(&case.command, &world);
        let right = match case.label.as_str() {
            "dangerous" => analysis.class == CommandClass::Dangerous,
            _ => analysis.class != CommandClass::Dangerous,
        };
        if !right {
            wrong.push(format!(
                "{} {} {:?}: {:?}, {}",
                case.id, case.label, case.command, analysis.class, analysis.because
            ));
        }
    }
    assert!(wrong.is_empty(), "{} lines:\n{}", wrong.len(), wrong.join("\n"));
}

/// Lines of the same kinds as the corpus that are not in it.
const MORE_DANGEROUS: &[&str] = &[
    "rm -rf old",
    "\\rm notes.txt",
    "'rm' notes.txt",
    "\"rm\" notes.txt",
    "r\"m\" notes.txt",
    "$'\\x72\\x6d' notes.txt",
    "$'\\162m' notes.txt",
    "{rm,notes.txt}",
    "/bin/r? notes.txt",
    "/???/rm notes.txt",
    "unlink notes.txt",
    "shred -u notes.txt",
    "find . -name notes.txt -delete",
    "find . -name '*.txt' -exec rm {} +",
    "find . -execdir rm {} \\;",
    "tar cf a.tar --remove-files notes.txt",
    "rsync -a --delete src/ old/",
    "rsync --remove-source-files notes.txt old/",
    "rename s/a/b/ notes.txt",
    "chown root notes.txt",
    "chattr +i notes.txt",
    "setfacl -m u:x:rw notes.txt",
    "mkfs.ext4 /dev/sdb1",
    "mkfs -t ext4 /dev/sdb",
    "mkswap /dev/sdb2",
    "fdisk /dev/sda",
    "parted -s /dev/sda mklabel gpt",
    "cat notes.txt > /dev/nvme0n1",
    "dd if=/dev/zero of=/dev/sda",
    "cp x /dev/sda",
    "reboot",
    "halt",
    "poweroff",
    "init 0",
    "telinit 6",
    "systemctl reboot",
    "loginctl poweroff",
    "kill -9 1",
    "kill -9 -1",
    "ls & rm notes.txt",
    "ls | rm notes.txt",
    "ls\nrm notes.txt",
    "! rm notes.txt",
    "coproc rm notes.txt",
    "coproc X { rm notes.txt; }",
    "for f in notes.txt; do rm $f; done",
    "select x in a; do rm notes.txt; break; done <<< 1",
    "function f { rm notes.txt; }; f",
    "f() ( rm notes.txt ); f",
    "if true; then :; else rm notes.txt; fi",
    "if rm notes.txt; then :; fi",
    "for ((i=0;i<1;i++)); do rm notes.txt; done",
    "for ((i=$(rm notes.txt);;)); do break; done",
    "case $(rm notes.txt) in x) ;; esac",
    "case x in $(rm notes.txt)) ;; esac",
    "[[ -n $(rm notes.txt) ]]",
    "[[ x == $(rm notes.txt) ]]",
    "(( $(rm notes.txt) ))",
    "echo ${x:-$(rm notes.txt)}",
    "echo \"${x:-`rm notes.txt`}\"",
    "echo ${x/$(rm notes.txt)/}",
    "a[$(rm notes.txt)]=1",
    "a=([$(rm notes.txt)]=1)",
    "echo $[ $(rm notes.txt) ]",
    "x='a[$(rm notes.txt)]'; echo $((x))",
    "x='$(rm notes.txt)'; echo ${x@P}",
    "printf -v 'a[$(rm notes.txt)]' x",
    "let 'a[$(rm notes.txt)]=1'",
    "declare 'a[$(rm notes.txt)]=1'",
    "test -v 'a[$(rm notes.txt)]'",
    "[ -v 'a[$(rm notes.txt)]' ]",
    "cat <<EOF\n$(rm notes.txt)\nEOF",
    "cat <<-EOF\n\t`rm notes.txt`\n\tEOF",
    "cat <(rm notes.txt)",
    "ls > >(xargs rm)",
    "echo a >(rm notes.txt)",
    "diff <(rm notes.txt) x",
    "sudo rm notes.txt",
    "sudo -u root -- rm notes.txt",
    "sudo -nu root rm notes.txt",
    "sudo X=1 rm notes.txt",
    "doas rm notes.txt",
    "env -i rm notes.txt",
    "env X=1 rm notes.txt",
    "env -u X rm notes.txt",
    "env -iS'rm notes.txt'",
    "env --split-string='rm notes.txt'",
    "timeout 5 rm notes.txt",
    "timeout -s KILL 5 rm notes.txt",
    "timeout --signal=KILL 5s rm notes.txt",
    "command rm notes.txt",
    "builtin eval rm notes.txt",
    "setsid rm notes.txt",
    "stdbuf -oL rm notes.txt",
    "stdbuf -o L rm notes.txt",
    "chrt -b 0 rm notes.txt",
    "taskset 1 rm notes.txt",
    "strace -f -o x rm notes.txt",
    "watch -n1 rm notes.txt",
    "watch 'rm notes.txt'",
    "chroot / rm notes.txt",
    "parallel rm ::: notes.txt",
    "parallel 'rm {}' ::: notes.txt",
    "echo notes.txt | parallel rm",
    "script -c 'rm notes.txt' brand_new.log",
    "xargs -a files.lst rm",
    "xargs rm < files.lst",
    "xargs -I X sh -c 'rm X' < files.lst",
    "echo 'rm notes.txt' | xargs -I{} sh -c {}",
    "echo rm notes.txt | xargs env",
    "ssh host rm notes.txt",
    "ssh -p 22 u@h 'rm -rf x'",
    "docker exec c rm x",
    "docker run --rm -it alpine sh -c 'rm x'",
    "podman run alpine rm x",
    "kubectl exec pod -- rm x",
    "docker compose run web rm x",
    "systemd-run rm notes.txt",
    "systemd-run --user --wait rm notes.txt",
    "at now <<< 'rm notes.txt'",
    "batch <<< 'rm notes.txt'",
    "echo '* * * * * rm x' | crontab -",
    "crontab -r",
    "tmux new -d 'rm notes.txt'",
    "tmux send-keys 'rm notes.txt' Enter",
    "screen -dm rm notes.txt",
    "busybox sh -c 'rm notes.txt'",
    "toybox rm notes.txt",
    "sh -c 'rm notes.txt'",
    "bash -c 'rm notes.txt'",
    "bash -lc 'rm notes.txt'",
    "bash -c \"rm notes.txt\"",
    "zsh -c 'rm x'",
    "sh <<< 'rm notes.txt'",
    "sh <<EOF\nrm notes.txt\nEOF",
    "echo rm notes.txt | sh",
    "printf 'rm notes.txt' | bash",
    "cat rmnotes.sh | sh",
    "sh rmnotes.sh",
    "./rmnotes.sh",
    "bash ./rmnotes.sh",
    ". ./rmnotes.sh",
    "source rmnotes.sh",
    "sh < rmnotes.sh",
    "bash -s < rmnotes.sh",
    "echo cm0gbm90ZXMudHh0 | base64 -d | sh",
    "sh <(echo rm notes.txt)",
    "bash --rcfile rmnotes.sh -i",
    "ENV=rmnotes.sh sh -i",
    "eval 'rm notes.txt'",
    "eval r''m notes.txt",
    "eval \"$(echo rm) x\"",
    "x='rm notes.txt'; eval $x",
    "x='rm notes.txt'; $x",
    "trap 'rm notes.txt' EXIT",
    "trap -- 'rm notes.txt' 0",
    "PROMPT_COMMAND='rm notes.txt' bash -i",
    "alias x='rm notes.txt'\nx",
    "set -- rm notes.txt; \"$@\"",
    "set -- rm notes.txt; $1 $2",
    "read x <<< rm; $x notes.txt",
    "printf -v x %s rm; $x notes.txt",
    "a=rm; b=a; ${!b} notes.txt",
    "x=mr; ${x:1}${x:0:1} notes.txt",
    "x=Rm; ${x,} notes.txt",
    "x=rxm; ${x/x/} notes.txt",
    "x=rm.bak; ${x%.bak} notes.txt",
    "${X:-rm} notes.txt",
    "${UNSET:=rm} notes.txt",
    "\n${UNSET:-rm} notes.txt",
    "x=r; x+=m; $x notes.txt",
    "declare x=rm; $x notes.txt",
    "export X=rm; $X notes.txt",
    "a=(ls rm); ${a[1]} notes.txt",
    "IFS=,; x=rm,notes.txt; $x",
    "X=rm; \"$X\" notes.txt",
    "if true; then X=rm; fi; $X notes.txt",
    "for x in rm; do $x notes.txt; done",
    "mapfile -t a <<< rm; ${a[0]} notes.txt",
    "$(printf rm) notes.txt",
    "$(echo mr | rev) notes.txt",
    "$(echo sn | tr s r | tr n m) notes.txt",
    "$(cat <<< rm) notes.txt",
    "`printf '\\x72\\x6d'` notes.txt",
    "$(true) rm notes.txt",
    "$NOTHING rm notes.txt",
    "hash -p /bin/rm ls; ls notes.txt",
    "ls() { rm \"$@\"; }; ls notes.txt",
    "command_not_found_handle() { rm x; }; command_not_found_handle",
    "echo 'rm notes.txt' > brand_new.sh; sh brand_new.sh",
    "cat > new.sh <<'E'\nrm notes.txt\nE\nbash new.sh",
    "mapfile -C 'rm notes.txt #' -c 1 a < files.lst",
    "compgen -C 'rm notes.txt' x",
    "python -c 'import os; os.remove(\"notes.txt\")'",
    "python3 -c \"import shutil; shutil.rmtree('old')\"",
    "python3 -c \"import subprocess; subprocess.run(['rm','notes.txt'])\"",
    "python3 -c \"from pathlib import Path; Path('notes.txt').unlink()\"",
    "python3 -c \"open('notes.txt','w')\"",
    "python3 -c \"import os; getattr(os,'sys'+'tem')('r'+'m notes.txt')\"",
    "python3 -c \"exec(__import__('base64').b64decode('cm0='))\"",
    "python3 <<< \"import os; os.unlink('notes.txt')\"",
    "python3 - <<'E'\nimport os\nos.remove('notes.txt')\nE",
    "echo 'import os; os.remove(\"notes.txt\")' | python3",
    "perl -e 'system(\"rm notes.txt\")'",
    "perl -e '`rm notes.txt`'",
    "perl -e 'rename \"a\",\"b\"'",
    "perl -pi -e 's/a/b/' notes.txt",
    "ruby -e 'File.delete(\"notes.txt\")'",
    "ruby -e '`rm notes.txt`'",
    "php -r 'unlink(\"notes.txt\");'",
    "php -r 'system(\"rm notes.txt\");'",
    "lua -e 'os.execute(\"rm notes.txt\")'",
    "node -e \"require('fs').unlinkSync('notes.txt')\"",
    "node -e \"fs.rmSync('notes.txt')\"",
    "node -p \"fs.writeFileSync('notes.txt','')\"",
    "awk 'BEGIN{print \"x\" > \"notes.txt\"}'",
    "awk '{print | \"rm notes.txt\"}' data.csv",
    "awk 'BEGIN{\"rm notes.txt\"|getline}'",
    "gawk -i inplace '{print}' notes.txt",
    "sed '1e rm notes.txt' data.csv",
    "sed -n 's/.*/rm notes.txt/e' data.csv",
    "sed -i s/a/b/ notes.txt",
    "sed -e 's/a/b/w notes.txt' data.csv",
    "ed -s notes.txt <<< $'1d\\nw'",
    "vim -es '+!rm notes.txt' +q",
    "vi -c ':!rm notes.txt' -c q",
    "less '+!rm notes.txt' data.csv",
    "man -P 'rm notes.txt' ls",
    "gdb -batch -ex 'shell rm notes.txt'",
    "git clean -f",
    "git reset --hard",
    "git checkout -- notes.txt",
    "git restore .",
    "git rm -r src",
    "git -C . rm notes.txt",
    "git -c alias.x='!rm notes.txt' x",
    "git -c core.sshCommand='rm notes.txt' fetch",
    "git config alias.x '!rm notes.txt'",
    "git rebase -x 'rm notes.txt' HEAD~1",
    "git submodule foreach 'rm notes.txt'",
    "git filter-branch --tree-filter 'rm notes.txt' HEAD",
    "git difftool -y -x 'rm notes.txt'",
    "git diff --output=notes.txt",
    "git archive -o notes.txt HEAD",
    "GIT_EXTERNAL_DIFF='rm notes.txt' git diff",
    "GIT_SSH_COMMAND='rm notes.txt' git fetch",
    "PAGER='rm notes.txt' git log",
    "git clone 'ext::sh -c rm% notes.txt'",
    "tar xf a.tar --use-compress-program='rm notes.txt'",
    "tar cf x -I 'rm notes.txt' src",
    "tar cf notes.txt src",
    "tar -czf data.csv src",
    "rg --pre=rm x notes.txt",
    "fd -x rm",
    "fd notes --exec-batch rm",
    "find . -fls notes.txt",
    "find . -fprintf notes.txt x",
    "sort --compress-program='rm notes.txt' data.csv",
    "shuf -o notes.txt data.csv",
    "uniq data.csv notes.txt",
    "xxd -r data.csv notes.txt",
    "tee notes.txt < data.csv",
    "echo x | tee notes.txt data.csv",
    "truncate -s 0 notes.txt",
    "cp data.csv notes.txt",
    "cp src/main.rs src/lib.rs",
    "install data.csv notes.txt",
    "ln -sf data.csv notes.txt",
    "curl -o notes.txt http://x",
    "wget -O notes.txt http://x",
    "openssl rand -out notes.txt 5",
    "make --eval='x:;rm notes.txt' x",
    "printf 'x:\\n\\trm notes.txt\\n' | make -f -",
    "cmake -E rm notes.txt",
    "sqlite3 x .shell\\ rm\\ notes.txt",
    "sqlite3 <<< '.system rm notes.txt'",
    "psql -c '\\! rm notes.txt'",
    "socat - EXEC:'rm notes.txt'",
    "nc -l -e 'rm x' 1",
    "npx rimraf old",
    "echo hi > notes.txt",
    "echo hi 2> notes.txt",
    "echo hi >& notes.txt",
    "echo hi &>> x > notes.txt",
    ": > notes.txt",
    "{ echo hi; } > notes.txt",
    "(echo hi) > notes.txt",
    "if true; then echo hi; fi > notes.txt",
    "echo hi > ./notes.txt",
    "echo hi > old/../notes.txt",
    "echo > \"notes.txt\"",
    "f=notes.txt; echo hi > $f",
    "echo hi > *otes.txt",
    "echo hi > notes.tx?",
    "cd old && echo hi > a.txt",
    "exec 3> notes.txt",
    "{fd}> notes.txt echo",
    "echo hi > {notes,x}.txt > notes.txt",
    "cat < /dev/null > notes.txt",
    "while true; do break; done > notes.txt",
    "f() { echo; } > notes.txt; f > notes.txt",
    "echo x > .git/hooks/pre-commit",
    "echo x >> .git/config",
    "echo x >> ~/.bashrc",
    "echo x > /etc/cron.d/x",
    "echo 1 > /sys/power/state",
    "trash notes.txt",
    "gio trash notes.txt",
    "zip -m a.zip notes.txt",
    "gzip notes.txt",
    "7z d a.7z x",
    "echo 'rm notes.txt' | at now + 1 minute",
    "ls;rm notes.txt",
    "ls&&rm notes.txt",
    "ls||rm notes.txt",
    "ls|rm notes.txt",
    "(rm notes.txt)",
    "{ ls;rm notes.txt;}",
    "echo $(ls; rm notes.txt)",
    "echo \"a $(echo \"b $(rm notes.txt)\")\"",
    "echo `echo \\`rm notes.txt\\``",
    "nohup sh -c 'nice rm notes.txt' &",
    "time -p rm notes.txt",
    "exec -a x rm notes.txt",
    "2>/dev/null rm notes.txt",
    "</dev/null rm notes.txt",
    "X=1 Y=2 rm notes.txt",
    "rm</dev/null notes.txt",
    "rm\\\n notes.txt",
    "flock x rm notes.txt",
    "ionice -c 2 -n 3 rm notes.txt",
    "unshare -r sh -c 'rm notes.txt'",
    "nsenter -t 1 -m rm x",
    "su root -c 'rm x'",
    "runuser -u x -- rm x",
    "mount /dev/sdb /mnt",
    "hyperfine 'rm notes.txt'",
    "bundle exec rm x",
    "poetry run rm x",
    "uv run rm x",
    "nix-shell --run 'rm x'",
    "direnv exec . rm x",
    "perf stat rm x",
];

const MORE_BENIGN: &[&str] = &[
    "ls -la",
    "pwd",
    "cat notes.txt | grep rm",
    "grep -E 'rm|mv' notes.txt",
    "grep -rn --include='*.rs' 'remove' src",
    "rg 'fn main' src",
    "rg -n 'rm -rf' .",
    "find . -type d -name rm",
    "find . -name '*.rs' | xargs grep -l main",
    "find . -name '*.rs' -exec grep -n main {} +",
    "git status",
    "git log --oneline -5",
    "git diff HEAD~1",
    "git commit -m 'remove rm'",
    "git add -A",
    "git log --format='%h %s' | head -3",
    "git show HEAD:notes.txt",
    "git stash list",
    "git branch -a",
    "git -c color.ui=never diff",
    "git -C src log",
    "git grep -n rm",
    "cargo test",
    "cargo build 2>&1 | tail -5",
    "cargo clippy --all-targets -- -D warnings",
    "npm test",
    "npm run build",
    "go test ./...",
    "python3 --version",
    "python3 script.py",
    "python3 -m unittest",
    "node index.js",
    "make -j4",
    "make test",
    "bash run.sh",
    "./run.sh",
    "sh run.sh",
    "echo hi >> brand_new.txt",
    "echo hi > new.txt && cat new.txt",
    "mkdir -p build_new && ls build_new",
    "cp notes.txt brand_new.txt",
    "touch new.txt",
    "ln -s notes.txt new_link",
    "tar czf new.tar.gz src",
    "tar xzf a.tar.gz",
    "tee new.txt < notes.txt",
    "sort data.csv | uniq -c | sort -rn",
    "sort -u data.csv",
    "awk -F, '{print $1}' data.csv",
    "awk '/a|b/ {print $2}' data.csv",
    "awk 'NR>1 && $2>3' data.csv",
    "awk '{s+=$1} END {print s}' data.csv",
    "awk '{ if ($1 > 2) print \"big\" }' data.csv",
    "awk 'BEGIN { print (3 > 2) }'",
    "awk '{ print $1 || $2 }' data.csv",
    "awk '{printf \"%s > %s\\n\", $1, $2}' data.csv",
    "sed -n '/rm/p' notes.txt",
    "sed 's/w/e/' notes.txt",
    "sed -e 's|a|b|g' -e '/x/d' notes.txt",
    "sed '$d' notes.txt",
    "sed -E 's/(a)(b)/\\2\\1/' notes.txt",
    "cut -d: -f1 data.csv",
    "head -c 10 notes.txt",
    "wc -l src/*.rs",
    "diff notes.txt data.csv",
    "diff <(sort notes.txt) <(sort data.csv)",
    "comm -12 a b",
    "echo $((1+2))",
    "echo \"$(date +%F)\"",
    "x=$(ls | wc -l); echo $x",
    "for i in {1..3}; do echo $i; done",
    "for f in *.txt; do echo \"$f\"; done",
    "for f in *; do [ -f \"$f\" ] && echo $f; done",
    "while read -r a b; do echo $b; done < data.csv",
    "if grep -q rm notes.txt; then echo yes; fi",
    "[[ -f notes.txt && 1 < 2 ]] && echo y",
    "[[ $x =~ ^(rm|mv)$ ]]",
    "case $1 in rm) echo r;; mv) echo m;; esac",
    "test -f rm",
    "[ rm = mv ]",
    "command -v rm mv",
    "type rm",
    "which rm",
    "man rm",
    "whatis chmod",
    "apropos rm",
    "alias ll='ls -l'",
    "echo rm | cat",
    "printf '%s' rm",
    "cat <<'EOF'\nrm -rf /\n$(rm x)\nEOF",
    "cat <<EOF\nplain\nEOF",
    "python3 - <<'E'\nprint('hi')\nE",
    "timeout 60 cargo test",
    "env FOO=1 cargo test",
    "FOO=bar make",
    "nohup ls",
    "time ls",
    "sudo ls",
    "xargs -n1 echo < files.lst",
    "ls | xargs -I{} echo rm {}",
    "eval echo hi",
    "bash -c 'echo hi'",
    "sh -c 'ls | wc -l'",
    "bash -c 'echo \"rm x\"'",
    "trap - EXIT",
    "set -euo pipefail; ls",
    "set -x; ls",
    "export FOO=bar; ls",
    "local_var=1; echo $local_var",
    "unset FOO; ls",
    "declare -a a=(1 2); echo ${#a[@]}",
    "a=(rm mv); echo ${a[0]}",
    "x=rm; echo $x",
    "x=\"rm -rf\"; echo \"${x}\"; ls",
    "readonly X=1; echo $X",
    "let x=1+2; echo $x",
    "cd src && ls",
    "cd src; cat main.rs",
    "pushd src; ls; popd",
    "(cd src && wc -l *.rs)",
    "ls > /dev/null 2>&1",
    "ls 2>&1 | head",
    "ls >&2",
    "exec 3>&1; ls >&3",
    "docker ps",
    "docker build -t x .",
    "kubectl get pods",
    "curl -s http://localhost:8000/v1/models",
    "curl -o new.bin http://x",
    "wget -q -O - http://x",
    "ssh host ls",
    "jq -r '.a > .b' x.json",
    "rustc --version",
    "true",
    ":",
    "",
    "# only a comment",
    "echo a; # rm notes.txt",
    "echo 'a' # rm notes.txt",
    "f() { ls; }; f",
    "f() { echo rm; }; f",
    "echo {rm,mv}",
    "echo rm*",
    "echo ~/rm",
    "ls -- rm",
    "stat rm",
    "file rm mv",
    "basename /bin/rm",
    "dirname /bin/rm",
    "test -x /bin/rm && echo y",
    "ls $(which ls)",
    "echo \"`date`\"",
    "echo \"${HOME}/rm\"",
    "tmp=$(mktemp); ls > \"$tmp\"; cat \"$tmp\"",
    "dd if=data.csv of=new.bin bs=1 count=1",
    "dd if=notes.txt of=/dev/null",
    "zip new.zip notes.txt",
    "gzip -k notes.txt",
    "gzip -c notes.txt > new.gz",
    "gunzip -c new.gz",
    "unzip -l a.zip",
    "kill 12345",
    "pkill -f server",
    "systemctl status nginx",
    "crontab -l",
    "psql -c 'select 1'",
    "sqlite3 new.db 'select 1'",
    "less notes.txt",
    "yes | head -1",
    "seq 3",
    "sleep 1",
    "date",
    "whoami",
    "uname -a",
    "df -h",
    "du -sh .",
    "ps aux",
    "free -m",
    "env",
    "printenv",
    "history",
    "id",
    "hostname",
    "lsblk",
    "python3 -c 'import sys; print(sys.version)'",
    "python3 -c \"l=[1,2]; l.remove(1); print(l)\"",
    "node -p 1+1",
    "perl -ne 'print if /rm/' notes.txt",
    "perl -e 'print \"rm\\n\"'",
    "ruby -e 'puts 1 > 0'",
    "php -r 'echo 1;'",
    "git rm --cached notes.txt -n",
    "git clean -n",
    "rsync -n --delete a b",
    "npm ls",
    "pip list",
    "apt list --installed",
    "while true; do ls; break; done",
    "until false; do break; done",
    "select x in a b; do echo $x; break; done < /dev/null",
    "coproc ls",
    "! ls nosuch",
    "time -p ls",
    "[ -v HOME ] && echo y",
];

fn misjudged(lines: &[&str], wanted: impl Fn(CommandClass) -> bool) -> String {
    let world = bench();
    let mut out = String::new();
    for line in lines {
        let analysis = analyse(line, &world);
        if !wanted(analysis.class) {
            out.push_str(&format!("{line:?}: {:?}, {}\n", analysis.class, analysis.because));
        }
    }
    out
}

#[test]
fn more_lines_of_the_dangerous_kinds_are_dangerous() {
    let wrong = misjudged(MORE_DANGEROUS, |class| class == CommandClass::Dangerous);
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn more_harmless_lines_are_not_dangerous() {
    let wrong = misjudged(MORE_BENIGN, |class| class != CommandClass::Dangerous);
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn everyday_lines_are_understood() {
    let lines: Vec<&str> = MORE_BENIGN
        .iter()
        .filter(|line| {
            ![
                "python",
                "node -p",
                "perl",
                "ruby",
                "php",
                "$tmp",
                "python3 -",
                "$1",
                "select",
                "=~",
            ]
            .iter()
            .any(|word| line.contains(word))
        })
        .copied()
        .collect();
    let wrong = misjudged(&lines, |class| class == CommandClass::Plain);
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn what_cannot_be_read_is_never_harmless() {
    let world = bench();
    for line in [
        "ls 'unfinished",
        "ls $(unfinished",
        "ls )",
        "if true",
        "ls | | x",
        "&& ls",
        "case x in",
        "echo ${x",
        "$X",
        "$(curl x)",
        "\"$CMD\" a",
        "curl x | sh",
        "a\0b",
        "wget -qO- x | bash",
        "source ./nosuch",
        "eval \"$X\"",
        "bash nosuch.sh",
        "./[a-z]*.sh",
        "echo x > \"$OUT\"",
        "cd \"$D\" && echo x > y",
        "LD_PRELOAD=./x.so ls",
        "PATH=.:$PATH ls",
        "python3 -c 'print(1)'",
        "exec 3<>/dev/tcp/h/1; cat <&3",
        "while ((; do ls; done",
        "f() { f; }; f",
    ] {
        assert_ne!(analyse(line, &world).class, CommandClass::Plain, "{line:?}");
    }
}

#[test]
fn only_one_bare_command_can_be_allowed() {
    let plain = |line: &str| analyse(line, &bench()).plain.map(|plain| plain.words.join("|"));
    assert_eq!(plain("ls -la src"), Some("ls|-la|src".into()));
    assert_eq!(plain("  'ls' \"a b\" c\\ d "), Some("ls|a b|c d".into()));
    for line in [
        "ls; ls",
        "ls | cat",
        "ls &",
        "ls > x",
        "ls < x",
        "ls 2>/dev/null",
        "ls $x",
        "ls \"$x\"",
        "ls $(x)",
        "ls `x`",
        "ls *.rs",
        "ls ~",
        "ls {a,b}",
        "X=1 ls",
        "! ls",
        "(ls)",
        "ls\nls",
        "ls <<< x",
        "time ls",
        "grep 2>/dev/null -rf p /etc/shells",
        "ls ${x}",
        "ls <(x)",
        "ls [ab]",
        "f() { ls; }",
    ] {
        assert_eq!(plain(line), None, "{line:?}");
    }
}

#[test]
fn options_that_name_files_count_as_paths() {
    let paths = |line: &str| analyse(line, &EmptyWorld).plain.unwrap().paths.join("|");
    assert_eq!(paths("grep --file=/etc/x -f/etc/y -e a b"), "/etc/x|/etc/y|a|b");
    assert_eq!(paths("grep -f ../x"), "../x");
}

#[test]
fn parts_name_every_command_and_writes_every_file() {
    let analysis = analyse("cd src && sudo rm a > out.txt | tee b.txt", &bench());
    let commands: Vec<&str> = analysis.parts.iter().map(|part| part.command.as_str()).collect();
    assert!(
        commands.contains(&"sudo rm a") && commands.contains(&"rm a") && commands.contains(&"tee b.txt"),
        "{commands:?}"
    );
    assert_eq!(analysis.writes, ["out.txt", "b.txt"]);
}

/// 100 KB made to be slow. The bound is far above what it takes and far below what a line that is not linear would.
#[test]
fn hostile_lines_take_time_in_proportion() {
    let size = 100 * 1024;
    let unit = |text: &str| text.repeat(size / text.len());
    let mut lines: Vec<String> = [
        "(",
        ")",
        "{ ",
        "$(",
        "$((",
        "`",
        "\"",
        "'",
        "${",
        "${x:-",
        "{a,",
        "a=b;",
        "x=$x$x;",
        "<<E\n",
        "<(",
        "[[ ",
        "if ",
        "case x in a) ",
        "for a in b;do ",
        "while ",
        "ls;",
        "$(ls)",
        "\\",
        "a[",
        "x=${x//a/bb};",
        "f(){ f;};f;",
        "&&",
        "|",
        "eval ",
        "eval eval ",
        "{1..99}",
        "*",
        "sh -c '",
        "$[",
        "((",
        "!",
        "time ",
        "echo a|",
        "a\n",
        "\u{4e2d}",
    ]
    .iter()
    .map(|text| unit(text))
    .collect();
    lines.push(format!("x=ab; {}", unit("x=$x$x; ")));
    lines.push(format!(
        "f() {{ g; g; }}; g() {{ h; h; }}; h() {{ f; f; }}; {}",
        unit("f;")
    ));
    lines.push("while :; do ".repeat(30) + "ls" + &"; done".repeat(30));
    lines.push(format!("echo {}", "{a,b}".repeat(5000)));
    for line in lines {
        let start = std::time::Instant::now();
        let _ = analyse(&line, &EmptyWorld);
        let taken = start.elapsed();
        assert!(
            // Generous, for a busy machine: what grows faster than its line takes minutes here.
            taken.as_secs() < 15,
            "{:?}… took {taken:?}",
            line.chars().take(20).collect::<String>()
        );
    }
}

proptest::proptest! {
    /// Whatever is written, it is answered, and a removal before it is never overlooked.
    #[test]
    fn nothing_after_a_removal_hides_it(tail in "[-a-z$(){}\\[\\]|&;<>'\"`\\\\ \n#!*]{0,60}") {
        let line = format!("rm notes.txt\n{tail}");
        let class = analyse(&line, &bench()).class;
        proptest::prop_assert_eq!(class, CommandClass::Dangerous, "{}", line);
    }

    #[test]
    fn no_text_makes_it_panic(line in "[-a-z$(){}\\[\\]|&;<>'\"`\\\\ \n#!*=@:/%,^0-9\u{4e2d}]{0,120}") {
        analyse(&line, &bench());
    }
}

#[test]
fn what_a_name_means_is_not_taken_from_a_branch_that_may_not_run() {
    let world = bench();
    for line in [
        "alias rm=echo; rm notes.txt",
        "rm() { echo; }; unset -f rm; rm notes.txt",
        "(rm() { :; }); rm notes.txt",
        "false && rm() { :; }; rm notes.txt",
        "f() { rm notes.txt; }; (f() { ls; }); f",
        "X=rm; X=ls & $X notes.txt",
        "X=rm; false && X=ls; $X notes.txt",
        "X=rm; if true; then :; elif X=ls; then :; fi; $X notes.txt",
        "X=rm; f() { return; X=ls; }; f; $X notes.txt",
        "X=rm; for i in 1; do break; X=ls; done; $X notes.txt",
        "readonly X=rm\nX=ls\n$X notes.txt",
        "declare -l X; X=RM; $X notes.txt",
        "shopt -s lastpipe; x=ls; echo rm | read x; $x notes.txt",
        "IFS=; set -- r m; \"$*\" notes.txt",
        "set -- rm; false && set -- ls; \"$1\" notes.txt",
        "x=rm; ${x^^z} notes.txt",
        "x=rxm; ${x/x/} notes.txt",
        "$(printf %.2s rmx) notes.txt",
        "$(basename rm.sh .sh) notes.txt",
        "echo -n r > x1; echo m >> x1; $(cat x1) notes.txt",
        "echo rm notes.txt > n.sh; false && echo ls > n.sh; sh n.sh",
        "while read -r l; do eval \"$l\"; done < big.lst",
        "{ read a; read b; $b notes.txt; } <<< $'ls\\nrm'",
        "cp rmnotes.sh new.sh; ./new.sh",
        "echo 'ls rm' | xargs -n1 timeout 5",
        "_=ls; : rm; $_ notes.txt",
        "declare -n r=x; x=rm; r=ls; $x notes.txt",
    ] {
        assert_ne!(analyse(line, &world).class, CommandClass::Plain, "{line:?}");
    }
}
