import BackendKit

extension Configuration {
  /// What standard error looks like.
  public var errorForm: ErrorReport.Form { settings["errors"]?.text.flatMap(ErrorReport.Form.init) ?? .text }
}
