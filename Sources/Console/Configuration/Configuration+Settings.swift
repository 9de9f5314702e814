import BackendKit

extension Configuration {
  /// What standard error looks like.
  public var errorForm: ErrorForm { settings["errors"]?.text.flatMap(ErrorForm.init) ?? .text }
}
