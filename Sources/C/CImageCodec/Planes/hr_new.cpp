// A new[] with cleared memory, for C++ libraries such as libde265: bytes that they leave unset would show the previous
// content of the memory. These functions replace libstdc++'s.

#include <cstddef>
#include <cstdlib>
#include <new>

void *operator new[](std::size_t size)
{
    void *memory = std::calloc(size > 0 ? size : 1, 1);
    if (memory == nullptr)
        throw std::bad_alloc();
    return memory;
}

void operator delete[](void *memory) noexcept { std::free(memory); }

void operator delete[](void *memory, std::size_t) noexcept { std::free(memory); }
