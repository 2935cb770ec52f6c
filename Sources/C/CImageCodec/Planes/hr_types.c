#include "hr_types.h"

#include <stdlib.h>
#include <string.h>

bool hr_buffer_reserve(hr_buffer *buffer, size_t more)
{
    if (buffer->capacity - buffer->count >= more)
        return true;
    size_t capacity = buffer->capacity * 2;
    if (capacity < buffer->count + more)
        capacity = buffer->count + more;
    uint8_t *data = realloc(buffer->data, capacity);
    if (data == NULL)
        return false;
    buffer->data = data;
    buffer->capacity = capacity;
    return true;
}

void hr_buffer_free(hr_buffer *buffer)
{
    free(buffer->data);
    *buffer = (hr_buffer){0};
}

hr_status hr_fail(hr_error *error, hr_status status, const char *message)
{
    error->status = status;
    strncpy(error->message, message, sizeof error->message - 1);
    error->message[sizeof error->message - 1] = 0;
    return status;
}
