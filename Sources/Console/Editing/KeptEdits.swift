import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem
import Files
import Glibc

/// The plans of edits about which nobody could be asked when the console ended.
struct KeptEdits: CommandPart {
  let context: CommandContext

  private var folder: String? { stateFolder.map { "\($0)/edits/" } }

  /// Tells of those that were not applied yet.
  func announce() {
    guard let folder, let names = FolderListing.names(in: folder)?.filter({ $0.hasSuffix(".plan") }),
      let first = names.min()
    else { return }
    let others = names.count > 1 ? ", and \(counted(names.count - 1, "more plan")) in \(folder)" : ""
    note("edits of an earlier run were not sent: apply \(Quoting.word(folder + first)) sends them\(others)")
  }

  /// Removes a plan whose writes were all made, if it is one of them.
  func remove(applied path: String) { if let folder, path.hasPrefix(folder) { unlink(path) } }
}
