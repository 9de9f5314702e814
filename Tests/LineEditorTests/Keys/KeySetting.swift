import Foundation

/// The setting in which a case is tried.
struct KeySetting: Sendable, CustomStringConvertible {
  enum Mode: String, Sendable, CaseIterable { case emacs, vi }

  static let widths = [20, 40, 80, 200]
  static let locales = ["C.UTF-8", "C"]

  let mode: Mode
  let columns: Int
  let locale: String

  var description: String { "\(mode) \(columns) \(locale)" }

  /// True to try every case in all settings.
  static let wantsAll = ProcessInfo.processInfo.environment["SWITCHBOARD_TEST_ALL"] != nil

  /// The settings for the case with this number: all, or so few that over all cases each pair of a case, a mode, a width
  /// and a locale comes once.
  static func settings(case number: Int, modes: [Mode]) -> [KeySetting] {
    if wantsAll {
      return modes.flatMap { mode in
        widths.flatMap { width in locales.map { KeySetting(mode: mode, columns: width, locale: $0) } }
      }
    }
    return widths.enumerated().map { place, width in
      KeySetting(
        mode: modes[(place + number) % modes.count], columns: width, locale: locales[(place / 2 + number / 2) % 2])
    }
  }
}
