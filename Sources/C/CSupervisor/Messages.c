#include "Messages.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// The bytes before the sockets.
static const size_t byte_count = offsetof(struct hr_control_message, count);

union ancillary {
    struct cmsghdr align;
    char bytes[CMSG_SPACE(sizeof(int) * HR_KEPT_SOCKETS)];
};

int hr_open_control(int ends[2])
{
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0 ? 0 : -errno;
}

int hr_send_control(int control, const struct hr_control_message *message)
{
    struct iovec bytes = {.iov_base = (void *)message, .iov_len = byte_count};
    union ancillary ancillary = {0};
    struct msghdr head = {.msg_iov = &bytes, .msg_iovlen = 1};
    if (message->count > 0) {
        head.msg_control = &ancillary;
        head.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)message->count);
        struct cmsghdr *rights = CMSG_FIRSTHDR(&head);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(sizeof(int) * (size_t)message->count);
        memcpy(CMSG_DATA(rights), message->sockets, sizeof(int) * (size_t)message->count);
    }
    ssize_t sent;
    do {
        sent = sendmsg(control, &head, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : 0;
}

int hr_receive_control(int control, struct hr_control_message *message)
{
    memset(message, 0, sizeof *message);
    struct iovec bytes = {.iov_base = message, .iov_len = byte_count};
    union ancillary ancillary;
    struct msghdr head = {.msg_iov = &bytes,
                          .msg_iovlen = 1,
                          .msg_control = &ancillary,
                          .msg_controllen = sizeof ancillary};
    ssize_t received;
    do {
        received = recvmsg(control, &head, MSG_CMSG_CLOEXEC);
    } while (received < 0 && errno == EINTR);
    if (received <= 0)
        return received < 0 ? -errno : 0;
    for (struct cmsghdr *rights = CMSG_FIRSTHDR(&head); rights; rights = CMSG_NXTHDR(&head, rights)) {
        if (rights->cmsg_level != SOL_SOCKET || rights->cmsg_type != SCM_RIGHTS)
            continue;
        size_t size = rights->cmsg_len - CMSG_LEN(0);
        message->count = (int32_t)(size / sizeof(int));
        memcpy(message->sockets, CMSG_DATA(rights), size);
    }
    message->text[HR_KEPT_KEY - 1] = 0;
    return 1;
}

void hr_add_kept(struct hr_kept *kept, const struct hr_control_message *message)
{
    if (kept->count == HR_KEPT_ADDRESSES) {
        hr_close_sockets(message);
        return;
    }
    kept->entries[kept->count++] = *message;
}

void hr_close_sockets(const struct hr_control_message *message)
{
    for (int index = 0; index < message->count; index++)
        close(message->sockets[index]);
}

void hr_close_kept(struct hr_kept *kept)
{
    for (int index = 0; index < kept->count; index++)
        hr_close_sockets(&kept->entries[index]);
    kept->count = 0;
}
