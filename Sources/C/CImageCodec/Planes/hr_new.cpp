// Memory of new[] that is cleared, for libraries of C++ such as libde265: what they leave out would show what the memory
// held. These replace the functions of libstdc++.

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
