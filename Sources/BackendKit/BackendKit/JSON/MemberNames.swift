internal import Glibc

/// The names of an object's members in order, with their spelling in its text. Records of a list usually share them.
final class MemberNames: Sendable {
  /// The largest number of names that are expected in a text.
  static let most = 64
  static let none = MemberNames([])

  let all: [String]
  /// Each name in quotes with a colon behind it; empty if a name needs an escape, or there are many.
  private let text: [UInt8]
  /// The end of each name in the text.
  private let ends: [Int]

  init(_ names: [String]) {
    all = names
    var (text, ends): ([UInt8], [Int]) = ([], [])
    for name in names where names.count <= Self.most {
      JSONWriter.write(name, to: &text)
      text.append(UInt8(ascii: ":"))
      ends.append(text.count)
      if text.count - (ends.dropLast().last ?? 0) == name.utf8.count + 3 { continue }
      (text, ends) = ([], [])
      break
    }
    self.text = text
    self.ends = ends
  }

  /// The number of names that can be expected.
  var count: Int { ends.count }

  /// The number of bytes of a name with its quotes and the colon.
  func length(at place: Int) -> Int { place == 0 ? ends[0] : ends[place] - ends[place - 1] }

  /// Returns whether a text has this name, with its quotes and colon, at a place.
  func isName(at place: Int, in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
    let length = length(at: place)
    guard bytes.count - start >= length else { return false }
    return text.withUnsafeBufferPointer { own in
      guard let own = own.baseAddress, let bytes = bytes.baseAddress else { return false }
      return memcmp(own + ends[place] - length, bytes + start, length) == 0
    }
  }

  func place(of name: String) -> Int? {
    let found = name.utf8.withContiguousStorageIfAvailable { name -> Int? in
      text.withUnsafeBufferPointer { own in
        guard let own = own.baseAddress else { return nil }
        var start = 0
        for (place, end) in ends.enumerated() {
          if end - start == name.count + 3, name.baseAddress.map({ memcmp(own + start + 1, $0, name.count) }) ?? 0 == 0
          {
            return place
          }
          start = end
        }
        return nil
      }
    }
    return found ?? all.firstIndex { $0.hasSameBytes(as: name) }
  }
}
