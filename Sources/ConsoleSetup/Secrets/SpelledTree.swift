/// Secrets in one spelling, sorted, so that all with a common prefix are adjacent: a text is compared with all of them
/// at once, whatever their number and however long their common prefix.
struct SpelledTree: Sendable {
  /// The place of a spelled secret in `bytes`.
  private struct Entry: Sendable {
    let start: Int
    let count: Int
  }

  /// The secrets that match a text so far: a range of those with one first byte.
  private struct Place: Hashable {
    var first: UInt8
    var low: Int
    var high: Int
    /// The number of their bytes matched so far.
    var matched: Int
    /// The index at which the text continues.
    var index: Int
    /// True after a line break, which does not belong to a secret that ends before it.
    var isAfterBreak = false
  }

  private let spelling: Spelling
  private var bytes: [UInt8] = []
  /// The secrets by their first bytes.
  private var entries = [[Entry]](repeating: [], count: 256)

  init(_ spelling: Spelling) { self.spelling = spelling }

  mutating func insert(_ spelled: [UInt8]) {
    guard let first = spelled.first.map(Int.init) else { return }
    let count = entries[first].count
    let at = Self.firstIndex(0, count) { !text(of: entries[first][$0]).lexicographicallyPrecedes(spelled) }
    if at < count, text(of: entries[first][at]).elementsEqual(spelled) { return }
    entries[first].insert(Entry(start: bytes.count, count: spelled.count), at: at)
    bytes += spelled
  }

  /// Returns whether one of them may begin with a byte of a text, in any spelling.
  func mayBegin(with byte: UInt8) -> Bool {
    SpellingReader.hasSpellings(byte) || !entries[Int(spelling.plain(byte))].isEmpty
  }

  private func text(of entry: Entry) -> ArraySlice<UInt8> { bytes[entry.start..<entry.start + entry.count] }

  /// Binary search: the first index from which on a condition holds.
  private static func firstIndex(_ low: Int, _ high: Int, where holds: (Int) -> Bool) -> Int {
    var (low, high) = (low, high)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Returns the end of the longest secret at an index of a text, in any spelling; nil if there is none.
  func end(in reader: SpellingReader, at start: Int) -> Int? {
    let byte = reader.text[start]
    var places: [Place] = []
    guard SpellingReader.hasSpellings(byte) else {
      let first = spelling.plain(byte)
      let count = entries[Int(first)].count
      guard count > 0 else { return nil }
      places.append(Place(first: first, low: 0, high: count, matched: 1, index: start + 1))
      return end(in: reader, from: &places)
    }
    for unit in reader.spellings(at: start) {
      guard let first = unit.bytes.first.map(spelling.plain) else { continue }
      var place = Place(first: first, low: 0, high: entries[Int(first)].count, matched: 1, index: unit.next)
      if place.high > 0, take(unit.bytes.dropFirst(), &place) { places.append(place) }
    }
    return places.isEmpty ? nil : end(in: reader, from: &places)
  }

  private func end(in reader: SpellingReader, from places: inout [Place]) -> Int? {
    let text = reader.text
    var seen: Set<Place> = []
    var end: Int?
    while var place = places.popLast() {
      var isOpen = true
      while isOpen {
        // The longest, so that the end of an escape does not remain.
        if isCut(place, text) || !place.isAfterBreak && isWhole(place) { end = max(end ?? 0, place.index) }
        guard place.index < text.count, !SpellingReader.hasSpellings(text[place.index]) else { break }
        isOpen = take(spelling.plain(text[place.index]), &place)
        place.index += 1
      }
      guard isOpen, place.index < text.count, seen.insert(place).inserted else { continue }
      for unit in reader.spellings(at: place.index) {
        var next = place
        next.index = unit.next
        // Line breaks are skipped only in encoded text, which is wrapped.
        if unit.isSoftBreak || spelling != .text && unit.isLineBreak {
          next.isAfterBreak = true
          places.append(next)
        }
        if !unit.bytes.isEmpty, take(unit.bytes[...], &next) { places.append(next) }
      }
    }
    return end
  }

  /// Returns whether a secret was matched to its end: the shortest comes first.
  private func isWhole(_ place: Place) -> Bool { entries[Int(place.first)][place.low].count == place.matched }

  /// Returns whether the text was cut there, losing the end of a secret.
  private func isCut(_ place: Place, _ text: [UInt8]) -> Bool {
    place.matched >= spelling.leastBeforeCut && place.index < text.count && text[place.index] == Self.cut[0]
      && text[place.index...].starts(with: Self.cut)
      && entries[Int(place.first)][place.high - 1].count > place.matched
  }

  /// The mark of a truncated text.
  private static let cut = Array("…".utf8)

  private func take(_ read: ArraySlice<UInt8>, _ place: inout Place) -> Bool {
    for byte in read where !take(spelling.plain(byte), &place) { return false }
    return true
  }

  /// Narrows the match to secrets with this next byte; returns false if there are none.
  private func take(_ byte: UInt8, _ place: inout Place) -> Bool {
    let known = entries[Int(place.first)]
    let matched = place.matched
    func next(_ index: Int) -> Int {
      let entry = known[index]
      return entry.count > matched ? Int(bytes[entry.start + matched]) : -1
    }
    if next(place.low) != Int(byte) || next(place.high - 1) != Int(byte) {
      place.low = Self.firstIndex(place.low, place.high) { next($0) >= Int(byte) }
      place.high = Self.firstIndex(place.low, place.high) { next($0) > Int(byte) }
    }
    place.matched += 1
    place.isAfterBreak = false
    return place.low < place.high
  }
}
