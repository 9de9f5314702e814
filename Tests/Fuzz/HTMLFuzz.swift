@testable import ConsoleOutput

/// HTML of a server: its lines hold no control character and nothing that the console takes for a style of its own.
enum HTMLFuzz {
  static func run(_ bytes: [UInt8]) {
    let html = String(decoding: bytes, as: UTF8.self)
    for line in HTMLText.lines(html) + [HTMLText.oneLine(html)] {
      let isClean = line.unicodeScalars.allSatisfy { scalar in
        switch scalar.value {
        case ..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2028, 0x2029, 0xFDD0...0xFDEF: false
        default: true
        }
      }
      require(isClean, "lines of HTML hold nothing that a terminal obeys")
    }
    _ = HTMLText.links(html)
  }
}
