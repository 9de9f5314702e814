import BackendKit
import Testing

@testable import Console
@testable import ConsoleOutput
@testable import ConsoleSetup
@testable import ConsoleSystem

@Suite("Settings of the display")
struct DisplaySettingsTests {
  @Test("Each word of a setting is taken and shown as typed, another is refused with the words")
  func words() throws {
    for choice in DisplaySettings.choices {
      var settings = try Settings()
      #expect(choice.words.contains(settings.value(of: choice.name) ?? ""))
      for word in choice.words {
        try settings.set(choice.name, to: word)
        #expect(settings.value(of: choice.name) == word)
      }
      #expect(throws: UsageError.self) { try settings.set(choice.name, to: "") }
      if choice.other == nil {
        let error = #expect(throws: UsageError.self) { try settings.set(choice.name, to: "alwys") }
        #expect(error?.message.contains(choice.words[0]) == true)
      }
    }
  }

  @Test("A pager is a command for set, never for a configuration")
  func pager() throws {
    var settings = try Settings()
    try settings.set("pager", to: "less -S")
    #expect(settings.display.pager == .command("less -S"))
    let setting = try #require(ConsoleSetting.all.first { $0.name == "pager" })
    #expect(setting.problem(of: "less -S") != nil)
    #expect(setting.problem(of: "off") == nil)
  }
}
