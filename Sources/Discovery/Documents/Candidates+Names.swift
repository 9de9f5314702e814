extension Candidates {
  /// Gives each collection a name that no other has, in capitals or small letters, from its path: its last segment, with those before
  /// it as far as others have the same.
  mutating func nameApart() {
    pair()
    var entries = list.map { Entry($0.name, Self.segments($0.collection, below: base), $0.isKnown) }
    entries += nested.map { Entry($0.name, Self.segments($0.shape, below: base), $0.isKnown, isPaired: $0.same != nil) }
    Entry.nameApart(&entries, besides: Set(looked.map { $0.lowercased() }))
    for place in list.indices { list[place].name = entries[place].name }
    for place in nested.indices { nested[place].name = entries[list.count + place].name }
    let names = Dictionary(list.map { (Self.plain($0.collection), $0.name) }, uniquingKeysWith: { first, _ in first })
    for place in nested.indices { nested[place].owner = names[nested[place].ownerPath] ?? nested[place].owner }
    pair()
  }

  /// Finds for each list below records the resource of which it may be a part: that with the same last segment, or the first list
  /// below records whose single records are at the same path.
  private mutating func pair() {
    for place in nested.indices where !nested[place].isKnown {
      let last = Self.last(nested[place].shape)
      let alike = list.filter { Self.last($0.collection) == last }
      let whole =
        alike.count == 1 ? alike.first : alike.first { Self.plain($0.collection) == base + "/" + (last ?? "") }
      let leader = nested[..<place].first {
        Self.last($0.shape) == last && $0.item != nil && $0.item == nested[place].item
      }
      nested[place].same = whole?.name ?? leader?.name
    }
  }

  /// The segments of a path below another, without variables.
  private static func segments(_ path: String, below base: String) -> [String] {
    let all = plain(path).split(separator: "/").map(String.init)
    let known = base.split(separator: "/").count
    let below = plain(path).hasPrefix(base) ? Array(all.dropFirst(known)) : all
    return below.filter { !$0.hasPrefix("{") }
  }
}

extension Candidates {
  /// A collection that is to have a name of its own.
  private struct Entry {
    var name: String
    let segments: [String]
    let isKnown: Bool
    private var depth: Int

    /// Last segments that say nothing of what is listed.
    private static let generic: Set<String> = [
      "all", "data", "entries", "index", "items", "list", "objects", "records", "results", "values",
    ]

    /// Segments that say nothing of what is below.
    private static let general: Set<String> = ["api", "rest", "v1", "v2", "v3"]

    /// One that is perhaps a part of another begins with two segments.
    init(_ name: String, _ segments: [String], _ isKnown: Bool, isPaired: Bool = false) {
      (self.name, self.segments, self.isKnown) = (name, segments, isKnown)
      let isGeneric =
        segments.last.map { Self.generic.contains($0.lowercased()) } == true
        && segments.dropLast().last.map { Self.general.contains($0.lowercased()) } == false
      depth = isPaired || isGeneric ? 2 : 1
      if !isKnown { spell() }
    }

    private mutating func spell() {
      // The name of a file has its ending in the path of the list only.
      var parts = segments.suffix(depth).map { $0 }
      if let last = parts.last, last.hasSuffix(".json"), last.count > 5 {
        parts[parts.count - 1] = String(last.dropLast(5))
      }
      if !parts.isEmpty { name = parts.joined(separator: "-") }
    }

    private mutating func lengthen() -> Bool {
      guard !isKnown, depth < segments.count else { return false }
      depth += 1
      spell()
      return true
    }

    /// `others` are names that are taken, in small letters.
    static func nameApart(_ entries: inout [Entry], besides others: Set<String>) {
      var isChanged = true
      while isChanged {
        isChanged = false
        let names = entries.map { $0.name.lowercased() } + others
        let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        for place in entries.indices where counts[entries[place].name.lowercased(), default: 0] > 1 {
          if entries[place].lengthen() { isChanged = true }
        }
      }
      // Paths that differ in nothing but signs or capitals are numbered, in their order.
      var taken = others.union(entries.filter(\.isKnown).map { $0.name.lowercased() })
      let order = entries.indices.sorted {
        entries[$0].segments.joined(separator: "/") < entries[$1].segments.joined(separator: "/")
      }
      for place in order where !entries[place].isKnown {
        let name = entries[place].name
        var number = 1
        while !taken.insert(entries[place].name.lowercased()).inserted {
          number += 1
          entries[place].name = "\(name)-\(number)"
        }
      }
    }
  }
}

/// A resource of a description that is there already.
struct KnownResource {
  let name: String
  /// The path of its collection below the base address, with what stands behind every path.
  let path: String
  /// The resources whose records have some of its records below them, each with the last segment of the path there.
  let owners: [(name: String, last: String)]
}
