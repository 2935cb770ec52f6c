// The service's end of the socket to the parent.
#pragma once

/// The variable with the number of the socket, for a service process that was started with exec.
#define HR_CONTROL_VARIABLE "HR_CONTROL_SOCKET"

/// Stores the socket of a service process that was forked.
void hr_use_control(int control);

/// Whether this program was started by a parent. If so, stores the socket, and reads the parent's messages.
int hr_inherit_control(void);
