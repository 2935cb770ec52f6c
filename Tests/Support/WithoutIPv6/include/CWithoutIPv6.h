// A thread without IPv6, for tests of hosts with a kernel that does not support IPv6.
#pragma once

#include <stdbool.h>

/// Runs `body` on a new thread without IPv6: socket(2) with AF_INET6 fails with EAFNOSUPPORT. Returns false if the
/// kernel does not allow that.
bool hr_run_without_ipv6(void (*_Nonnull body)(void *_Nullable), void *_Nullable context);
