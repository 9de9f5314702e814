import BackendKit
import ServiceDescription

extension Dialect {
  /// The recognizable kinds of services with the surveys of their presets, in order of precedence.
  private static let kinds = [
    "jsonapi", "odata4", "scim2", "eve", "django-rest", "json-server-1", "stripe", "datasette", "kinto", "pocketbase",
    "spring-data-rest", "directus", "strapi", "laravel", "wordpress", "postgrest", "json-server", "link-header",
  ].map { (preset: $0, survey: Preset(named: $0)?.survey ?? Object()) }

  /// The dialect of a preset; nil if it has no survey.
  static func named(_ preset: String) -> Dialect? {
    kinds.first { $0.preset == preset }.map { Dialect($0.preset, $0.survey) }
  }

  /// The dialect of a response to OPTIONS, with its sign; nil if none is recognized.
  static func recognized(options answer: ProbeResponse) -> (dialect: Dialect, mark: String)? {
    recognized(answer, by: "options")
  }

  /// The dialect of a list, with its sign; nil if none is recognized.
  static func recognized(_ answer: ProbeResponse) -> (dialect: Dialect, mark: String)? {
    recognized(answer, by: "shownBy")
  }

  private static func recognized(_ answer: ProbeResponse, by key: String) -> (dialect: Dialect, mark: String)? {
    for (preset, survey) in kinds {
      let signs = survey[key].map { $0.array ?? [$0] } ?? []
      guard let sign = signs.lazy.compactMap({ Sign($0) }).first(where: { $0.isShown(by: answer) }) else { continue }
      return (Dialect(preset, survey), sign.name)
    }
    return nil
  }
}
