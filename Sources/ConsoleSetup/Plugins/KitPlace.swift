import BackendKit
package import ConsoleSystem
import Files
import Glibc

/// Finds the packages on which a plugin depends.
package enum KitPlace {
  /// Folders below one.
  case folder(String)
  /// Repositories below an address.
  case address(String)

  /// A place as typed.
  package init(_ text: String) throws(UsageError) {
    // It becomes part of a string literal in the manifest.
    guard text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value < 0x7F && $0 != "\"" && $0 != "\\" }),
      !text.isEmpty
    else {
      throw UsageError("--kit takes a folder or an address without blanks or quotes", hint: "nothing was written")
    }
    let text = text.hasSuffix("/") ? String(text.dropLast()) : text
    if text.contains(text: "://") || text.hasPrefix("git@") {
      self = .address(text)
      return
    }
    try Restriction.current.check(file: text)
    guard access(text + "/BackendKit/Package.swift", R_OK) == 0 else {
      throw UsageError("there is no package BackendKit in \(text)", hint: "nothing was written")
    }
    self = .folder(Path.real(text))
  }
}
