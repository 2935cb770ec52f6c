/// A dictionary ordered by last use.
///
/// Every operation takes constant time.
///
/// The dictionary maps keys to indices of an array. A doubly linked list of indices stores the order. Freed indices are
/// reused.
struct RecencyList<Key: Hashable, Value> {
    private struct Entry {
        let key: Key
        var value: Value
        var cost: Int
    }

    private struct Link {
        var newer = RecencyList.end
        var older = RecencyList.end
    }

    private static var end: Int { -1 }

    private var places: [Key: Int] = [:]
    private var entries: [Entry?] = []
    private var links: [Link] = []
    private var free: [Int] = []
    private var newest = RecencyList.end
    private var oldest = RecencyList.end

    /// The sum of the costs of all values.
    private(set) var cost = 0

    var count: Int { places.count }

    /// Returns the value for a key and makes it the most recent value.
    mutating func use(_ key: Key) -> Value? {
        guard let place = places[key], let entry = entries[place] else { return nil }
        if place != newest {
            unlink(place)
            linkAsNewest(place)
        }
        return entry.value
    }

    /// Inserts a value as the most recent value.
    ///
    /// Returns the value that it replaces.
    @discardableResult
    mutating func insert(_ value: Value, for key: Key, cost: Int) -> Value? {
        let replaced = remove(key)
        let place = free.popLast() ?? entries.count
        if place == entries.count {
            entries.append(nil)
            links.append(Link())
        }
        entries[place] = Entry(key: key, value: value, cost: cost)
        places[key] = place
        self.cost += cost
        linkAsNewest(place)
        return replaced
    }

    /// Removes the value of a key.
    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        guard let place = places.removeValue(forKey: key) else { return nil }
        return clear(place)?.value
    }

    var keys: [Key] { Array(places.keys) }

    /// Removes the least recently used value.
    mutating func removeOldest() -> Value? {
        guard oldest != Self.end, let entry = clear(oldest) else { return nil }
        places[entry.key] = nil
        return entry.value
    }

    private mutating func clear(_ place: Int) -> Entry? {
        guard let entry = entries[place] else { return nil }
        unlink(place)
        entries[place] = nil
        free.append(place)
        cost -= entry.cost
        return entry
    }

    private mutating func linkAsNewest(_ place: Int) {
        links[place] = Link(newer: Self.end, older: newest)
        if newest != Self.end { links[newest].newer = place }
        newest = place
        if oldest == Self.end { oldest = place }
    }

    private mutating func unlink(_ place: Int) {
        let link = links[place]
        if link.newer == Self.end { newest = link.older } else { links[link.newer].older = link.older }
        if link.older == Self.end { oldest = link.newer } else { links[link.older].newer = link.newer }
    }
}
