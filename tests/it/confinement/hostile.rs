//! Scripts with forbidden actions. `$OUT` is the folder around the project.

use std::fs;

use crate::support::home::Home;

/// Tries every way to change files, folders or their metadata outside the project.
pub const OUTSIDE: &str = r#"
echo written > inside
echo x >> $OUT/other/file
echo x > $OUT/other/new
: > $OUT/other/deep/file
chmod 777 $OUT/other
chmod 600 $OUT/user/.profile
chown 12345 $OUT/other/file
touch -d 2001-01-01 $OUT/other/file
touch -h -d 2001-01-01 $OUT/other/deep
setfattr -n user.x -v 1 $OUT/other/file
ln $OUT/other/file hard && echo x >> hard
ln -s $OUT/other/file soft && echo x >> soft
ln inside $OUT/other/linked
mv inside $OUT/other/moved 2>/dev/null; echo written > inside
cp -a $OUT/other/deep copied && mv copied $OUT/other/copied
mv $OUT/other/deep $OUT/other/deeper
rm -rf $OUT/other
rmdir $OUT/user
mkdir $OUT/made
mkfifo $OUT/other/pipe
mknod $OUT/other/null c 1 3
truncate -s 0 $OUT/user/.profile
dd if=/dev/zero of=$OUT/user/.profile bs=1 count=1 conv=notrunc
cd $OUT && echo x > relative; cd - > /dev/null
echo x > /proc/self/cwd/../other/through
(cd / && echo x > ${OUT#/}/other/from-root)
tee $OUT/user/.bashrc < /dev/null
install -m 755 probe $OUT/user/bin
perl -e 'rename "$ENV{OUT}/user/.profile", "$ENV{OUT}/user/renamed"; utime 1, 1, "$ENV{OUT}/user"; symlink "a", "$ENV{OUT}/link"'
exit 0
"#;

/// Tries about seventy commands against every kind of path, including the workspace.
pub const EVERYWHERE: &str = r#"
t() { "$@" > /dev/null 2>&1; }
(echo x > new) 2>/dev/null; (echo x >> kept) 2>/dev/null; (: > Makefile) 2>/dev/null; (echo x > ./kept) 2>/dev/null
(echo x > $PWD/absolute) 2>/dev/null; (echo x > ../project/dotted) 2>/dev/null; (echo x > /proc/self/cwd/through) 2>/dev/null
(exec 3>> kept; echo x >&3) 2>/dev/null; (exec 3<> kept; echo x >&3) 2>/dev/null; (set -o noclobber; echo x >| kept) 2>/dev/null
t touch touched; t touch kept; t touch -d 2001-01-01 kept; t touch -a kept; t touch -h -d 2001-01-01 kept
t chmod 777 kept; t chmod -R a+rwx .; t chmod u+s probe; t chown 1 kept; t chgrp 1 kept
t setfattr -n user.x -v 1 kept; t mkdir made; t mkdir -p a/b/c; t rmdir .; t mkfifo pipe
t mknod node c 1 3; t ln kept hard; t ln -s kept soft; t ln -sf / kept; t mv kept moved
t mv Makefile Makefile.old; t cp probe copied; t cp -a probe archived; t cp /dev/null kept; t install -m 755 probe installed
t rm kept; t rm -rf .; t rm -f probe; t unlink kept; t truncate -s 0 kept
t truncate -s 1M grown; t fallocate -l 1M allocated; t dd if=/dev/zero of=kept bs=1 count=1; t dd if=/dev/zero of=zeros bs=1k count=1; t shred -u kept
echo x | t tee kept; echo x | t tee -a kept; t sed -i s/as/is/ kept; t sed -i.bak s/as/is/ kept; t perl -pi -e s/as/is/ kept
t perl -e 'open F, ">", "perl"; print F 1'; t perl -e 'unlink "kept"'; t perl -e 'rename "kept", "k"'; t perl -e 'truncate "kept", 0'; t perl -e 'utime 1, 1, "kept"'
t git init; t tar cf made.tar kept; t tar xf made.tar; t find . -delete; t find . -type f -exec rm {} +
t xargs -a kept rm -f; t sort -o kept kept; t split -b 1 kept; t csplit kept 1; t patch kept /dev/null
(echo x > $OUT/other/file) 2>/dev/null; t rm -rf $OUT/other; t touch $OUT/user/.profile; t mv $OUT/other $OUT/gone; (cd $OUT && t touch here)
exit 0
"#;

pub const PROCESSES: &str = r#"
for pid in /proc/[0-9]*; do
  (tr '\0' '\n' < $pid/environ) 2>/dev/null | grep -q '^BENCHDOG_HOME=.*benchdog' && [ $(basename $pid) = 1 ] && echo + read
  case "$(tr '\0' ' ' < $pid/cmdline)" in *"run --approve all"*) echo + sees ;; esac
done
head -c 1 /proc/1/mem > /dev/null 2>&1 && echo + read
ls /proc/1/root/ > /dev/null 2>&1 && echo + root
ls /proc/1/cwd/ > /dev/null 2>&1 && echo + root
ls -l /proc/1/fd/ 2>/dev/null | grep -q -e '->' && echo + read
command -v strace > /dev/null && timeout 1 strace -p 1 2>&1 | grep -q attached && echo + traced
# Where the first process is not the command's own, what follows would end everything there is.
tr '\0' ' ' < /proc/1/cmdline | grep -q 'exec-child init' || { echo + sees everybody; exit 1; }
kill -9 1
kill -9 -1
sleep 5
"#;

pub const KERNEL: &str = r#"
says() { if "${@:2}" > /dev/null 2>&1; then echo "+ $1"; else echo "- $1"; fi; }
says unshare unshare -Ur true
says unshare unshare -r -m true
says mount mount -t tmpfs none /mnt
says mount mount --bind / /mnt
says root chroot / true
says io_uring perl -e 'exit(syscall(425, 8, 0) >= 0 || $! == 38 ? 0 : 1)'
says keyctl perl -e 'exit(syscall(250, 0, -3, 0) >= 0 ? 0 : 1)'
says handle perl -e '$b = pack("I I x128", 128, 0); $m = pack("I", 0); exit(syscall(303, -100, "/", $b, $m, 0) >= 0 ? 0 : 1)'
says clone3 perl -e 'exit(syscall(435, pack("Q x80", 0x10000000), 88) > 0 ? 0 : 1)'
says x32 perl -e 'exit(syscall(0x40000000 + 39) > 0 ? 0 : 1)'
says typing perl -e 'open(T, "+<", "/dev/ptmx"); exit(ioctl(T, 0x5412, "x") ? 0 : 1)'
exit 0
"#;

pub const SOCKETS: &str = r#"
perl -MIO::Socket::UNIX -e 'print IO::Socket::UNIX->new(Peer => "$ENV{OUT}/service.sock") ? "+ connected to a path\n" : "- $!\n"'
"#;

/// Reads the files that `plant` creates.
pub const SECRETS: &str = r#"
cat .env; cat app/keys/server.pem; cat ~/.ssh/id_ed25519; cat ~/.aws/credentials
cat $OUT/benchdog/config.jsonc; cat linked
cp .env copy && cat copy; ln .env hard && cat hard; mv .env moved && cat moved
tar cf - . 2>/dev/null | tr -d '\0'; grep -r planted . ~ $OUT/benchdog 2>/dev/null; find $OUT -name id_ed25519 -exec cat {} + 2>/dev/null
exit 0
"#;

pub fn plant(home: &Home) {
    let secret = |number: u8| format!("planted-{number}-secret\n");
    home.file(".env", &secret(1)).file("app/keys/server.pem", &secret(2));
    for folder in [".ssh", ".aws"] {
        fs::create_dir_all(home.user_home().join(folder)).expect("a folder of secrets");
    }
    fs::write(home.user_home().join(".ssh/id_ed25519"), secret(3)).expect("a key");
    fs::write(home.user_home().join(".aws/credentials"), secret(4)).expect("credentials");
    let config = home.benchdog_home().join("config.jsonc");
    let mut written: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&config).expect("a configuration")).expect("JSON");
    written["instructions"] = serde_json::json!(["planted-5-secret"]);
    fs::write(&config, written.to_string()).expect("a configuration");
    fs::write(home.user_home().join(".netrc"), secret(6)).expect("a password");
    std::os::unix::fs::symlink(home.user_home().join(".netrc"), home.path("linked")).expect("a link");
}
