import TerminalSupport
import TestSupport
import Testing

/// Every key of both modes, judged on the screen.
@Suite struct `Keys` {
  struct Trial: Sendable, CustomTestStringConvertible {
    let keyCase: KeyCase
    let setting: KeySetting
    var testDescription: String { "\(keyCase.name), \(setting)" }
  }

  static let trials = KeyCase.all.enumerated().flatMap { number, keyCase in
    KeySetting.settings(case: number, modes: keyCase.modes).map { Trial(keyCase: keyCase, setting: $0) }
  }

  @Test(arguments: trials) func `do on the screen what the page about the terminal says`(trial: Trial) throws {
    let home = try TemporaryFolder()
    try home.write(KeyCase.history.map { $0 + "\n" }.joined(), to: "history")
    if trial.setting.mode == .vi { try home.write("bind -v\n", to: ".editrc") }
    let columns = trial.setting.columns
    let terminal = try TmuxTerminal.probe(
      ["--complete", "--history", home.path + "/history"],
      environment: [
        "HOME": home.path, "LANG": trial.setting.locale, "LC_ALL": trial.setting.locale, "VISUAL": "sed -i s/one/two/",
      ], columns: columns, rows: 12)
    for step in trial.keyCase.steps {
      switch step {
      case .type(let text): try terminal.type(text)
      case .press(let keys): try terminal.press(keys)
      case .paste(let text): try terminal.paste(text)
      case .see(let view):
        try terminal.wait("\(view)") { view.isShown(in: $0, columns: columns) }
      }
    }
    let view = trial.keyCase.view
    try terminal.wait("\(view)") { view.isShown(in: $0, columns: columns) }
  }

  @Test func `each pair of a case, a mode, a width and a locale is tried`() {
    guard !KeySetting.wantsAll else { return }
    for name in KeyCase.all.map(\.name) {
      let settings = Self.trials.filter { $0.keyCase.name == name }.map(\.setting)
      let modes = KeyCase.all.first { $0.name == name }?.modes ?? []
      #expect(Set(settings.map(\.columns)) == Set(KeySetting.widths))
      #expect(Set(settings.map(\.locale)) == Set(KeySetting.locales), "\(name)")
      #expect(Set(settings.map(\.mode)) == Set(modes), "\(name)")
    }
    #expect(Set(Self.trials.map { "\($0.setting)" }).count == 16)
  }
}
