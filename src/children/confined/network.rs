//! The loopback device of a new network namespace, which starts disabled. Tests that connect to a server on the same
//! machine need it.

use std::io;

use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, netlink, recv, sendto, socket_with};

const LOOPBACK: i32 = 1;

/// Constants from linux/rtnetlink.h, linux/netlink.h and linux/if.h.
const RTM_NEWLINK: u16 = 16;
const NLM_F_REQUEST: u16 = 1;
const NLM_F_ACK: u16 = 4;
const NLMSG_ERROR: u16 = 2;
const IFF_UP: u32 = 1;
const HEADER: usize = 16;

pub(super) fn bring_up() -> io::Result<()> {
    let route = socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, None)?;
    let kernel = netlink::SocketAddrNetlink::new(0, 0);
    sendto(&route, &request(), SendFlags::empty(), &kernel)?;
    let mut answer = [0_u8; 256];
    let (_, length) = recv(&route, &mut answer, RecvFlags::empty())?;
    match error_in(answer.get(..length).unwrap_or(&answer)) {
        Some(0) => Ok(()),
        Some(code) => Err(io::Error::from_raw_os_error(-code)),
        None => Err(io::Error::other("no answer about the loopback")),
    }
}

/// Returns the netlink message (`nlmsghdr` and `ifinfomsg`) that sets the device's `IFF_UP` flag.
fn request() -> Vec<u8> {
    let mut message = Vec::new();
    message.extend(32_u32.to_ne_bytes());
    message.extend(RTM_NEWLINK.to_ne_bytes());
    message.extend((NLM_F_REQUEST | NLM_F_ACK).to_ne_bytes());
    message.extend(1_u32.to_ne_bytes());
    message.extend(0_u32.to_ne_bytes());
    // Address family, padding, and device type.
    message.extend(0_u32.to_ne_bytes());
    message.extend(LOOPBACK.to_ne_bytes());
    message.extend(IFF_UP.to_ne_bytes());
    // Mask of flags to change.
    message.extend(IFF_UP.to_ne_bytes());
    message
}

/// Returns the error number in an `nlmsgerr`. Zero is an acknowledgement, an error is negative.
fn error_in(answer: &[u8]) -> Option<i32> {
    let kind = u16::from_ne_bytes(answer.get(4..6)?.try_into().ok()?);
    let code = i32::from_ne_bytes(answer.get(HEADER..HEADER + 4)?.try_into().ok()?);
    (kind == NLMSG_ERROR).then_some(code)
}

#[cfg(test)]
mod tests;
