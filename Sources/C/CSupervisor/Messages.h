// Messages between the parent and the service process.
#pragma once

#include "CSupervisor.h"

#include <stdint.h>

enum hr_message_kind {
    /// To the service: the reason for its start.
    HR_MESSAGE_RESTART,
    /// To both: sockets and their key.
    HR_MESSAGE_SOCKETS,
    /// To the parent.
    HR_MESSAGE_READY,
    HR_MESSAGE_STOPPING,
    HR_MESSAGE_STATUS,
};

struct hr_control_message {
    int32_t kind;
    struct hr_restart restart;
    /// The key of sockets, or a status.
    char text[HR_KEPT_KEY];
    /// Descriptors of the receiver, which are not sent as bytes.
    int32_t count;
    int sockets[HR_KEPT_SOCKETS];
};

/// The maximum number of addresses whose sockets are kept.
#define HR_KEPT_ADDRESSES 16

/// Sockets by key.
struct hr_kept {
    int count;
    struct hr_control_message entries[HR_KEPT_ADDRESSES];
};

/// Two connected ends, close-on-exec and non-blocking: 0, or -errno.
int hr_open_control(int ends[2]);

/// Sends a message and copies of its sockets: 0, or -errno.
int hr_send_control(int control, const struct hr_control_message *message);

/// Receives a message and its sockets: 1, 0 at the end, or -errno. Sockets are close-on-exec.
int hr_receive_control(int control, struct hr_control_message *message);

/// Adds the sockets of a message; closes them if the table is full.
void hr_add_kept(struct hr_kept *kept, const struct hr_control_message *message);

void hr_close_sockets(const struct hr_control_message *message);

void hr_close_kept(struct hr_kept *kept);
