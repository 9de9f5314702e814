import BackendKit
public import ConsoleSystem

extension Configuration {
  /// The format of standard error.
  public var errorForm: ErrorForm { settings["errors"]?.text.flatMap(ErrorForm.init) ?? .text }
}
