//! The commands that are known, as data: name, and what kind of thing it does. What is not listed is an ordinary
//! program: it is named in the review and judged by the rules alone.

use std::collections::HashMap;
use std::sync::LazyLock;

/// What a command's name says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Behaviour {
    /// In the dangerous class whatever its arguments are.
    Danger(&'static str),
    /// Runs another command: options, then so many operands of its own, then the command.
    Wrapper(&'static Wrapper),
    /// A shell.
    Shell,
    /// Runs code given on its line or its input.
    Interpreter,
    /// Dangerous or not by its arguments; the function is found by this name in `programs.rs`.
    Special,
    /// A builtin that changes what the rest of the line means.
    Builtin,
    /// Opens something a person would work in; what it would run is not seen.
    Interactive,
}

/// How a wrapper's own arguments end and the command begins.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Wrapper {
    /// Options whose value is the next word: letters, then long names, separated by blanks.
    pub(super) takes: &'static str,
    /// Options whose value is a script.
    pub(super) scripts: &'static str,
    /// Own operands before the command.
    pub(super) operands: usize,
    /// `NAME=value` words before the command.
    pub(super) assigns: bool,
    /// The words are joined and given to a shell.
    pub(super) joined: bool,
}

const fn wrap(takes: &'static str, operands: usize) -> Wrapper {
    Wrapper {
        takes,
        scripts: "",
        operands,
        assigns: false,
        joined: false,
    }
}

const fn script(takes: &'static str, scripts: &'static str, operands: usize) -> Wrapper {
    Wrapper {
        takes,
        scripts,
        operands,
        assigns: false,
        joined: false,
    }
}

const fn joined(takes: &'static str, operands: usize) -> Wrapper {
    Wrapper {
        takes,
        scripts: "",
        operands,
        assigns: false,
        joined: true,
    }
}

const SUDO: &Wrapper = &Wrapper {
    takes: "u g h p C r t T U D R --user --group --host --prompt --close-from --role --type --command-timeout --chdir --chroot --other-user",
    scripts: "",
    operands: 0,
    assigns: true,
    joined: false,
};

use Behaviour::{Builtin, Danger, Interactive, Interpreter, Shell, Special};

const fn w(wrapper: &'static Wrapper) -> Behaviour {
    Behaviour::Wrapper(wrapper)
}

/// One row a behaviour; names separated by blanks.
pub(super) const TABLE: &[(&str, Behaviour)] = &[
    // Removal.
    (
        "rm rmdir unlink shred srm sfill wipe trash trash-put trash-empty rimraf del-cli gvfs-trash tmpreaper tmpwatch",
        Danger("removes files"),
    ),
    ("wipefs blkdiscard badblocks nwipe scrub", Danger("erases a disk")),
    // Moves.
    (
        "mv rename prename file-rename rename.ul mmv mcp vidir gvfs-move",
        Danger("moves or renames files"),
    ),
    // Modes and owners.
    ("chmod", Danger("changes permissions")),
    ("chown chgrp", Danger("changes owners")),
    (
        "setfacl setcap chattr setfattr chcon restorecon",
        Danger("changes permissions"),
    ),
    (
        "userdel deluser groupdel delgroup usermod chpasswd passwd visudo",
        Danger("changes accounts"),
    ),
    // Disks.
    (
        "mkfs mke2fs mkswap mkntfs mkdosfs mkexfatfs mkudffs mkisofs-dev newfs",
        Danger("formats a disk"),
    ),
    (
        "fdisk sfdisk cfdisk gdisk sgdisk cgdisk parted partprobe partx growpart",
        Danger("changes partitions"),
    ),
    (
        "mdadm lvremove vgremove pvremove lvreduce lvresize pvcreate vgcreate lvcreate vgreduce cryptsetup dmsetup zpool zfs btrfs",
        Danger("changes disks"),
    ),
    (
        "hdparm nvme sg_format sg_sanitize tune2fs resize2fs e2fsck fsck debugfs xfs_repair losetup mount umount swapoff swapon fstrim ddrescue dd_rescue partclone fsfreeze",
        Danger("works on disks"),
    ),
    // Power.
    (
        "shutdown reboot halt poweroff telinit init kexec pm-suspend pm-hibernate rtcwake",
        Danger("stops or restarts the machine"),
    ),
    ("insmod rmmod modprobe sysctl", Danger("changes the running kernel")),
    // Wrappers.
    ("sudo sudoedit", w(SUDO)),
    (
        "doas",
        w(&Wrapper {
            takes: "u C",
            scripts: "",
            operands: 0,
            assigns: true,
            joined: false,
        }),
    ),
    ("pkexec", w(&wrap("u --user", 0))),
    ("gosu su-exec setpriv-as sudo-as", w(&wrap("", 1))),
    ("timeout gtimeout", w(&wrap("s k --signal --kill-after", 1))),
    (
        "nohup setsid fakeroot eatmydata dbus-run-session catchsegv linux32 linux64 i386 x86_64 tini dumb-init proxychains proxychains4 torsocks torify unbuffer setarch-plain rlwrap winpty firejail",
        w(&wrap("", 0)),
    ),
    ("nice", w(&wrap("n --adjustment", 0))),
    ("ionice", w(&wrap("c n p P u --class --classdata", 0))),
    ("chrt", w(&wrap("T P D p", 1))),
    ("taskset", w(&wrap("p", 1))),
    ("numactl", w(&wrap("i N C m l p", 0))),
    ("prlimit", w(&wrap("p o", 0))),
    ("setarch", w(&wrap("", 1))),
    ("setpriv capsh", w(&script("", "c", 0))),
    ("time gtime", w(&wrap("f o --format --output", 0))),
    ("stdbuf gstdbuf", w(&wrap("i o e --input --output --error", 0))),
    (
        "unshare",
        w(&wrap(
            "S G w R --setuid --setgid --wd --root --map-user --map-group --propagation --kill-child --boottime --monotonic",
            0,
        )),
    ),
    ("nsenter", w(&wrap("t S G r w --target --setuid --setgid", 0))),
    ("strace ltrace", w(&wrap("a b e E I o O p P s S u U X n l x A D", 0))),
    ("gdb lldb", Special),
    ("valgrind heaptrack uftrace", w(&wrap("", 0))),
    ("perf", Special),
    ("exec", Special),
    ("command builtin", Special),
    ("busybox toybox", w(&wrap("", 0))),
    ("chroot", w(&wrap("", 1))),
    (
        "flock",
        w(&script("w E --timeout --wait --conflict-exit-code", "c --command", 1)),
    ),
    ("su runuser sg newgrp", Special),
    ("env genv", Special),
    ("xargs gxargs", Special),
    ("parallel", Special),
    ("watch", w(&joined("n --interval", 0))),
    (
        "ssh autossh mosh dbclient",
        w(&joined("b c D E e F I i J L l m O o p Q R S W w B M", 1)),
    ),
    ("sshpass", w(&wrap("p f P", 0))),
    ("docker podman nerdctl lxc kubectl oc", Special),
    ("docker-compose podman-compose", Special),
    ("tmux screen byobu", Special),
    (
        "systemd-run",
        w(&wrap(
            "p u H M E d --property --unit --description --slice --setenv --uid --gid --on-active --on-calendar --working-directory --machine --host",
            0,
        )),
    ),
    ("systemctl loginctl", Special),
    (
        "start-stop-daemon",
        w(&wrap("p n x a u g k r N c --exec --startas --pidfile --chuid", 0)),
    ),
    ("daemonize runit chpst", w(&wrap("a c e o p l u E b n m d r t", 0))),
    (
        "bwrap",
        w(&wrap("--bind --ro-bind --dev --proc --tmpfs --chdir --setenv", 0)),
    ),
    ("proot", w(&wrap("r b w q", 0))),
    ("xvfb-run", w(&wrap("n s e f p", 0))),
    ("faketime", w(&wrap("", 1))),
    ("script", Special),
    ("hyperfine", Special),
    ("entr", w(&wrap("", 0))),
    (
        "npx bunx pnpx uvx pipx corepack",
        w(&script("p --package", "c --call", 0)),
    ),
    ("bundle", Special),
    (
        "poetry pipenv uv rye hatch pdm conda mamba micromamba direnv nix nix-shell asdf mise",
        Special,
    ),
    ("nsjail runcon", w(&wrap("t u r l", 1))),
    ("cgexec", w(&wrap("g", 0))),
    ("logsave", Special),
    ("at batch", Special),
    ("crontab", Special),
    ("run-parts", Special),
    // Shells and interpreters.
    (
        "sh bash dash ash zsh ksh ksh93 mksh pdksh yash fish rbash posh csh tcsh",
        Shell,
    ),
    (
        "python python2 python3 pypy pypy3 ipython perl ruby jruby irb node nodejs bun deno php lua luajit texlua tclsh wish expect Rscript osascript pwsh powershell guile racket scheme julia elixir erl swift groovy scala kotlin raku janet emacs emacsclient ocaml ghc runghc escript jshell gjs qjs dc gnuplot octave bc-exec",
        Interpreter,
    ),
    ("awk gawk mawk nawk original-awk", Special),
    ("sed gsed ssed", Special),
    ("ed ex red vi vim nvim view rvim gvim", Special),
    ("less more man most nano pico joe mcedit", Special),
    ("sqlite3 sqlite psql mysql mariadb duckdb", Special),
    ("ftp lftp telnet gpg-connect-agent mutt w3m lynx", Interactive),
    // What depends on the arguments.
    ("cp gcp install ln link", Special),
    ("rsync scp", Special),
    ("dd gdd dcfldd", Special),
    ("truncate fallocate", Special),
    ("tee sponge", Special),
    ("sort shuf", Special),
    ("uniq xxd", Special),
    ("tree", Special),
    ("find gfind bfs", Special),
    ("fd fdfind", Special),
    ("rg ag ack", Special),
    ("git hub", Special),
    ("hg svn bzr fossil", Special),
    ("tar gtar bsdtar", Special),
    ("zip", Special),
    ("7z 7za 7zr rar ar cpio unzip", Special),
    (
        "gzip bzip2 xz lzma lzip lzop zstd compress pigz pbzip2 gunzip bunzip2 unxz unzstd uncompress lz4 brotli",
        Special,
    ),
    ("curl wget aria2c", Special),
    ("openssl gpg gpg2 age iconv", Special),
    ("make gmake bmake ninja cmake", Special),
    ("kill", Special),
    ("socat nc ncat netcat", Special),
    ("split csplit", Special),
    ("patch", Special),
    ("yq sd perltidy", Special),
    ("gio gvfs-rm", Special),
    ("rclone", Special),
    // Builtins.
    ("cd pushd popd chdir", Builtin),
    ("eval source . trap", Builtin),
    ("alias unalias hash enable complete compgen bind", Builtin),
    ("read mapfile readarray getopts", Builtin),
    ("export declare typeset local readonly unset let", Builtin),
    ("set shift", Builtin),
    ("test [ printf echo", Builtin),
    (
        "cat base64 base32 rev tr head tail basename dirname true false : yes seq fold tac",
        Builtin,
    ),
];

static BY_NAME: LazyLock<HashMap<&'static str, Behaviour>> = LazyLock::new(|| {
    TABLE
        .iter()
        .flat_map(|(names, behaviour)| names.split(' ').map(move |name| (name, *behaviour)))
        .collect()
});

/// The row for a command word: its last path component, a version number at its end left out.
pub(super) fn behaviour(name: &str) -> Option<(&str, Behaviour)> {
    if let Some((known, behaviour)) = BY_NAME.get_key_value(name) {
        return Some((known, *behaviour));
    }
    if name.starts_with("mkfs.") || name.starts_with("fsck.") || name.starts_with("mount.") {
        return Some(("mkfs", Danger("formats or repairs a disk")));
    }
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    let bare = bare.strip_suffix(".exe").unwrap_or(bare);
    BY_NAME
        .get_key_value(bare)
        .map(|(known, behaviour)| (*known, *behaviour))
}

/// Commands that must not run unseen and that a glob in the place of a command could stand for.
pub(super) fn dangerous_names() -> impl Iterator<Item = &'static str> {
    TABLE
        .iter()
        .filter(|(_, behaviour)| matches!(behaviour, Danger(_)))
        .flat_map(|(names, _)| names.split(' '))
}

/// More words that, seen in a text that cannot be followed, are reason enough to call it dangerous.
const MORE_WORDS: &[&str] = &[
    "dd",
    "truncate",
    "rmtree",
    "unlinkSync",
    "rmSync",
    "mkfs.ext4",
    "mkfs.xfs",
    "--delete",
    "-delete",
];

/// Whether a word that names something dangerous stands anywhere in a text.
pub(super) fn danger_words(text: &str) -> bool {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')))
        .any(|word| {
            matches!(behaviour(word), Some((_, Danger(_)))) && word != "init" && word != "mount" && word != "rename"
                || MORE_WORDS.contains(&word)
        })
}
