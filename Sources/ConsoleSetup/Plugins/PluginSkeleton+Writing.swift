package import ConsoleSystem
import Files
import Glibc

extension PluginSkeleton {
  /// Writes the files into a new folder of the current one.
  package func write() throws(UsageError) {
    try Restriction.current.check(file: folder)
    // Plugins in a folder that others can write to are refused.
    guard mkdir(folder, 0o755) == 0 else {
      throw UsageError(
        errno == EEXIST ? "\(folder) already exists" : "cannot make \(folder): \(FileFailure.system.reason)",
        hint: "nothing was written")
    }
    do {
      for file in files {
        var place = folder
        for part in file.path.split(separator: "/").dropLast() {
          place += "/" + part
          guard mkdir(place, 0o777) == 0 || errno == EEXIST else { throw FileFailure.system }
        }
        let draft = try Draft(replacing: folder + "/" + file.path, mode: file.isExecutable ? 0o755 : nil)
        try draft.write(Array(file.text.utf8))
        try draft.finish()
      }
    } catch {
      throw UsageError("cannot write to \(folder): \((error as? FileFailure)?.reason ?? "\(error)")")
    }
  }
}
