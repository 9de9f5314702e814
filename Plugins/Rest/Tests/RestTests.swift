import AdapterSupport
import BackendKit
import Testing

@Suite struct RestTests {
  @Test func `the plugin opens and reads descriptions`() throws {
    let plugin = try PluginLibrary("rest").plugin
    #expect(plugin.descriptions != nil)
  }
}
