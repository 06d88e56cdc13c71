//! Programs that always remove or move files, change owners or modes, or act on disks and the machine.

use super::danger;
use crate::shell::grammar::{Code, Spec};

pub(super) const ROWS: &[Spec] = &[
    danger("rm grm", "removes files").code(Code::Remove),
    danger(
        "rmdir unlink shred srm sfill wipe trash trash-put trash-empty rimraf del-cli gvfs-trash gvfs-rm \
        tmpreaper tmpwatch fdupes rdfind jdupes bleachbit",
        "removes files",
    ),
    danger("wipefs blkdiscard badblocks nwipe scrub", "erases a disk").code(Code::Remove),
    danger(
        "mv gmv rename prename file-rename rename.ul mmv mcp vidir gvfs-move",
        "moves or renames files",
    ),
    danger("chmod gchmod", "changes permissions"),
    danger("chown chgrp gchown", "changes owners"),
    danger("setfacl setcap chattr setfattr chcon restorecon", "changes permissions"),
    danger(
        "userdel useradd adduser deluser groupdel groupadd addgroup delgroup usermod groupmod chpasswd \
        passwd visudo vipw chsh chfn gpasswd",
        "changes accounts",
    ),
    danger(
        "mkfs mke2fs mkswap mkntfs mkdosfs mkexfatfs mkudffs newfs",
        "formats a disk",
    )
    .code(Code::Remove),
    danger(
        "fdisk sfdisk cfdisk gdisk sgdisk cgdisk parted partprobe partx growpart",
        "changes partitions",
    ),
    danger(
        "mdadm lvremove vgremove pvremove lvreduce lvresize pvcreate vgcreate lvcreate vgreduce \
        cryptsetup dmsetup zpool zfs btrfs",
        "changes disks",
    ),
    danger(
        "hdparm nvme sg_format sg_sanitize tune2fs resize2fs e2fsck fsck debugfs xfs_repair losetup mount \
        umount swapoff swapon fstrim ddrescue dd_rescue partclone fsfreeze mknod grub-install \
        update-grub efibootmgr",
        "works on disks",
    ),
    danger(
        "shutdown reboot halt poweroff telinit init kexec pm-suspend pm-hibernate rtcwake",
        "stops or restarts the machine",
    ),
    danger("insmod rmmod modprobe depmod", "changes the running kernel"),
    danger(
        "iptables ip6tables nft ufw firewall-cmd tc brctl ifup ifdown",
        "changes the network",
    ),
    danger(
        "update-rc.d chkconfig update-alternatives ldconfig",
        "changes what the system starts",
    ),
    danger("strip objcopy patchelf", "changes programs in place"),
    danger("logrotate updatedb", "changes the system's files"),
];
