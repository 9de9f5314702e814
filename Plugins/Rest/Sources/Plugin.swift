import BackendKit
import ServiceDescription

/// The plugin that the console loads, with the preparation of its backends. Without a description it uses the preset
/// `plain`.
let plugin = Plugin(
  name: "rest", version: "0.1.0", summary: "any REST service, described in a YAML or JSON file",
  descriptions: DescriptionFormat(schema: DescriptionSchema.schema, read: read),
  prepare: { settings throws(BackendError) in try read(DescriptionSource(backend: settings.name)).prepare(settings) })

/// A description as it is read once: its login, and its service for whoever prepares a backend.
private func read(_ source: DescriptionSource) throws(BackendError) -> Described {
  let description = try reported { () throws(Mistakes) in try Description(source) }
  let login = try reported { () throws(Mistakes) in try description.login() }
  return Described(login: login) { _ throws(BackendError) in
    let service = try reported { () throws(Mistakes) in try description.service(hooks: source.hooks) }
    return PreparedBackend(service)
  }
}

/// Returns the result of reading a description; throws `misconfigured` with every mistake in it.
private func reported<Result>(_ read: () throws(Mistakes) -> Result) throws(BackendError) -> Result {
  do { return try read() } catch {
    guard error.reported.count > 1 else {
      throw .misconfigured(
        error.reported.first.map { "\($0.place): \($0.message)" } ?? "", hint: error.reported.first?.hint)
    }
    let fields = error.reported.map { mistake in
      FieldMessage("\(mistake.place)", mistake.message + (mistake.hint.map { "; \($0)" } ?? ""))
    }
    throw BackendError(
      .misconfigured, "the description has \(error.reported.count + error.others) mistakes", effect: .notSent,
      fields: fields)
  }
}

/// The entry that the console looks for in the library.
@c(switchboard_plugin)
public func switchboardPlugin() -> UnsafeMutableRawPointer { plugin.export() }
