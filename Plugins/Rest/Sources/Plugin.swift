import BackendKit
import ServiceDescription

/// What the console reads of this plugin, and how it makes a backend of it.
let plugin = Plugin(
  name: "rest", version: "0.1.0", summary: "any REST service, described in a file of YAML or JSON",
  descriptions: DescriptionFormat(schema: DescriptionSchema.schema) { source throws(BackendError) in
    try described { () throws(Mistakes) in try Description(source).login() }
  },
  make: { settings throws(BackendError) in
    let source = settings.description
    let service = try described { () throws(Mistakes) in try Description(source).service(hooks: source.hooks) }
    return RESTBackend(service, over: settings.exchange)
  })

/// What reading a description gives; throws `misconfigured` with every mistake in it.
private func described<Result>(_ read: () throws(Mistakes) -> Result) throws(BackendError) -> Result {
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
