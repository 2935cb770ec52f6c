// Reads the structure of TIFF files: finds their directories, and the directory with the image (TIFF 6.0, section 2;
// TIFF Technical Note 1; TIFF/EP, ISO 12234-2).

#include "hr_tiff_directories.h"

#ifdef HR_TIFF

#include <string.h>

// For each unknown tag, libtiff creates a description and sorts all descriptions again. It also copies the values of
// every entry, even if entries share them: a file of a few hundred kilobytes took half a gigabyte.
enum { MOST_ENTRIES = 1000, MOST_SHARED_BYTES = 1 << 16 };

enum {
    NEW_SUBFILE_TYPE = 254,
    SUBFILE_TYPE = 255,
    IMAGE_WIDTH = 256,
    IMAGE_LENGTH = 257,
    COMPRESSION = 259,
    PHOTOMETRIC = 262,
    MAKE = 271,
    ORIENTATION = 274,
    SUB_IFDS = 330,
    CFA_PATTERN = 33422,
    DNG_VERSION = 50706,
    COLOR_FILTER_ARRAY = 32803,
    LINEAR_RAW = 34892,
};

typedef struct file {
    const uint8_t *bytes;
    size_t count;
    bool is_little, is_big;  // the byte order, and offsets of 64 bits
} file;

typedef struct entry {
    uint64_t tag, type, count, place;  // place of its first value
} entry;

typedef struct directory {
    uint64_t place, next;
    uint64_t width, height;
    bool states_kind, is_reduced, is_mask, is_raw, is_child;
    int orientation;
} directory;

typedef struct walk {
    file file;
    directory all[HR_TIFF_MOST_DIRECTORIES];
    int count;
    bool has_maker, is_dng;
} walk;

static uint64_t number_at(const file *file, uint64_t place, int width)
{
    if (place > file->count || file->count - place < (uint64_t)width)
        return 0;
    uint64_t value = 0;
    for (int i = 0; i < width; i++)
        value = value << 8 | file->bytes[place + (uint64_t)(file->is_little ? width - 1 - i : i)];
    return value;
}

static file file_of(const uint8_t *bytes, size_t count)
{
    file file = {bytes, count, count > 0 && bytes[0] == 'I', false};
    // 43 means offsets of 64 bits.
    file.is_big = number_at(&file, 2, 2) == 43;
    return file;
}

static int width_of(const file *file) { return file->is_big ? 8 : 4; }

// The bytes of a value of a type (TIFF 6.0, section 2, and BigTIFF).
static uint64_t bytes_of(uint64_t type)
{
    static const uint8_t sizes[] = {1, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 1, 1, 8, 8, 8};
    return type < sizeof sizes ? sizes[type] : 1;
}

static uint64_t entries_of(const file *file, uint64_t place) { return number_at(file, place, file->is_big ? 8 : 2); }

static uint64_t first_entry(const file *file, uint64_t place) { return place + (file->is_big ? 8 : 2); }

static uint64_t entry_bytes(const file *file) { return (uint64_t)(4 + 2 * width_of(file)); }

static entry entry_at(const file *file, uint64_t place)
{
    const int width = width_of(file);
    entry entry = {number_at(file, place, 2), number_at(file, place + 2, 2), number_at(file, place + 4, width), 0};
    entry.place = place + 4 + (uint64_t)width;
    // Values that do not fit into the entry are elsewhere.
    if (entry.count > (uint64_t)width || entry.count * bytes_of(entry.type) > (uint64_t)width)
        entry.place = number_at(file, entry.place, width);
    return entry;
}

// A whole number among the values; 0 if it is missing.
static uint64_t value_of(const file *file, const entry *entry, uint64_t index)
{
    const uint64_t width = bytes_of(entry->type);
    if (index >= entry->count || entry->place > file->count)
        return 0;
    return number_at(file, entry->place + index * width, (int)width);
}

bool hr_tiff_is_bounded(const uint8_t *bytes, size_t count, uint64_t place)
{
    const file file = file_of(bytes, count);
    const uint64_t entries = entries_of(&file, place);
    if (entries > MOST_ENTRIES)
        return false;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < entries; i++) {
        const entry entry = entry_at(&file, first_entry(&file, place) + i * entry_bytes(&file));
        // Values are read only if the file has enough bytes for them.
        if (entry.count <= count)
            sum += entry.count * bytes_of(entry.type);
    }
    return sum <= count + MOST_SHARED_BYTES;
}

size_t hr_tiff_header(const uint8_t *bytes, size_t count, uint64_t place, uint8_t header[16])
{
    const file file = file_of(bytes, count);
    const int width = width_of(&file);
    const size_t length = file.is_big ? 16 : 8;
    if (count < length)
        return 0;
    memcpy(header, bytes, length);
    for (int i = 0; i < width; i++)
        header[(size_t)width + (size_t)(file.is_little ? i : width - 1 - i)] = (uint8_t)(place >> (8 * i));
    return length;
}

// MARK: Raw photographs

// Compressions of cameras: Kodak, Sony, Epson, Samsung, Nikon, lossy DNG, Pentax.
static bool is_raw_compression(uint64_t compression)
{
    static const uint16_t known[] = {262, 32767, 32769, 32770, 32772, 32867, 34713, 34892, 65000, 65535};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (compression == known[i])
            return true;
    return false;
}

// Signatures after the header: CR2 of Canon, IIQ of Phase One.
static bool has_raw_signature(const file *file)
{
    const size_t end = file->count < 40 ? file->count : 40;
    if (file->is_big)
        return false;
    if (end >= 12 && memcmp(file->bytes + 8, "CR\2", 3) == 0)
        return true;
    for (size_t i = 8; i + 8 <= end; i++) {
        const uint8_t *at = file->bytes + i;
        if ((memcmp(at, "IIII", 4) == 0 && memcmp(at + 5, "waR", 3) == 0) ||
            (memcmp(at, "MMMM", 4) == 0 && memcmp(at + 4, "Raw", 3) == 0))
            return true;
    }
    return false;
}

// MARK: The walk

static void add(walk *walk, uint64_t place, bool is_child)
{
    if (place == 0 || place >= walk->file.count || walk->count == HR_TIFF_MOST_DIRECTORIES)
        return;
    for (int i = 0; i < walk->count; i++)
        if (walk->all[i].place == place)
            return;
    walk->all[walk->count++] = (directory){.place = place, .is_child = is_child};
}

static void read_kind(const file *file, const entry *entry, directory *to)
{
    const uint64_t value = value_of(file, entry, 0);
    to->states_kind = true;
    if (entry->tag == NEW_SUBFILE_TYPE) {
        to->is_reduced = (value & 1) != 0;
        to->is_mask = (value & 4) != 0;
    } else {
        to->is_reduced = value == 2;
    }
}

static void read_entry(walk *walk, const entry *entry, directory *to)
{
    const file *file = &walk->file;
    const uint64_t value = value_of(file, entry, 0);
    switch (entry->tag) {
    case NEW_SUBFILE_TYPE:
        read_kind(file, entry, to);
        break;
    case SUBFILE_TYPE:
        if (!to->states_kind)
            read_kind(file, entry, to);
        break;
    case IMAGE_WIDTH:
        to->width = value;
        break;
    case IMAGE_LENGTH:
        to->height = value;
        break;
    case COMPRESSION:
        to->is_raw |= is_raw_compression(value);
        break;
    case PHOTOMETRIC:
        to->is_raw |= value == COLOR_FILTER_ARRAY || value == LINEAR_RAW;
        break;
    case CFA_PATTERN:
        to->is_raw = true;
        break;
    case ORIENTATION:
        to->orientation = value >= 1 && value <= 8 ? (int)value : 0;
        break;
    case MAKE:
        walk->has_maker = true;
        break;
    case DNG_VERSION:
        walk->is_dng = true;
        break;
    default:
        break;
    }
}

static void read_directory(walk *walk, int index)
{
    const file *file = &walk->file;
    // The array has a fixed size, so the pointer stays valid while other directories are added.
    directory *to = &walk->all[index];
    uint64_t entries = entries_of(file, to->place);
    const uint64_t first = first_entry(file, to->place);
    to->next = entries > MOST_ENTRIES ? 0 : number_at(file, first + entries * entry_bytes(file), width_of(file));
    if (entries > MOST_ENTRIES)
        entries = MOST_ENTRIES;
    for (uint64_t i = 0; i < entries; i++) {
        const entry entry = entry_at(file, first + i * entry_bytes(file));
        if (entry.tag != SUB_IFDS) {
            read_entry(walk, &entry, to);
            continue;
        }
        for (uint64_t child = 0; child < entry.count && child < HR_TIFF_MOST_DIRECTORIES; child++)
            add(walk, value_of(file, &entry, child), true);
    }
    add(walk, to->next, to->is_child);
}

static uint64_t area(const directory *directory)
{
    // Sides that are not a number of pixels count as an area of 0.
    return directory->width > INT32_MAX || directory->height > INT32_MAX ? 0 : directory->width * directory->height;
}

static bool is_full(const directory *directory)
{
    return !directory->is_reduced && !directory->is_mask && !directory->is_raw && area(directory) > 0;
}

// Inserts a directory after all larger directories.
static void insert(const walk *walk, hr_tiff_choice *choice, const directory *added)
{
    int at = choice->count++;
    for (; at > 0; at--) {
        const directory *before = NULL;
        for (int i = 0; i < walk->count; i++)
            if (walk->all[i].place == choice->places[at - 1])
                before = &walk->all[i];
        if (before == NULL || area(before) >= area(added))
            break;
        choice->places[at] = choice->places[at - 1];
    }
    choice->places[at] = added->place;
}

// Whether a directory inside the first one is a full image, and larger on both sides.
static bool has_larger_child(const walk *walk)
{
    const directory *first = &walk->all[0];
    for (int i = 1; i < walk->count; i++) {
        const directory *other = &walk->all[i];
        if (other->is_child && other->states_kind && is_full(other) && other->width > first->width &&
            other->height > first->height)
            return true;
    }
    return false;
}

static uint64_t raw_area(const walk *walk)
{
    if (walk->is_dng || has_raw_signature(&walk->file))
        return UINT64_MAX;
    uint64_t most = 0;
    for (int i = 0; i < walk->count; i++)
        if (walk->all[i].is_raw && !walk->all[i].is_reduced)
            most = area(&walk->all[i]) > most ? area(&walk->all[i]) : most == 0 ? 1 : most;
    // Phase One's cameras write a first image of one pixel.
    if (most == 0 && walk->has_maker && area(&walk->all[0]) == 1)
        most = 2;
    return most;
}

hr_tiff_choice hr_tiff_choose(const uint8_t *bytes, size_t count)
{
    hr_tiff_choice choice = {.count = 0};
    walk walk = {.file = file_of(bytes, count)};
    add(&walk, number_at(&walk.file, walk.file.is_big ? 8 : 4, width_of(&walk.file)), false);
    for (int i = 0; i < walk.count; i++)
        read_directory(&walk, i);
    if (walk.count == 0)
        return choice;
    const directory *first = &walk.all[0];
    const uint64_t raw = raw_area(&walk);
    choice.orientation = first->orientation;
    choice.is_raw = raw > 0 || (first->is_reduced && walk.has_maker);
    bool has_full = false;
    for (int i = 0; i < walk.count; i++)
        has_full |= is_full(&walk.all[i]);
    // The first directory is chosen even if it is damaged, so that its errors are reported.
    if (raw == 0 && !has_larger_child(&walk) && (is_full(first) || (!first->is_reduced && !first->is_mask))) {
        choice.places[choice.count++] = first->place;
        choice.is_raw = false;
        return choice;
    }
    for (int i = 0; i < walk.count; i++)
        if (is_full(&walk.all[i]) && area(&walk.all[i]) >= raw)
            insert(&walk, &choice, &walk.all[i]);
    // With equal areas the first directory comes first.
    if (raw == 0 && !has_full)
        for (int i = 0; i < walk.count; i++)
            if (!walk.all[i].is_mask && area(&walk.all[i]) > 0)
                insert(&walk, &choice, &walk.all[i]);
    if (choice.count == 0 && !choice.is_raw)
        choice.places[choice.count++] = first->place;
    return choice;
}

#endif
