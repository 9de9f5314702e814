import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput

extension Command {
  /// Prints what a shell needs to complete the console's own command line.
  static let completion = Command(
    "completion", .console, "Print the completion script for a shell",
    arguments: [.one(.oneOf(["bash", "zsh", "fish"]))], effects: [],
    details: [
      "bash: source <(switchboard completion bash), for example in ~/.bashrc.",
      "zsh: source <(switchboard completion zsh) after compinit, in ~/.zshrc.",
      "fish: switchboard completion fish > ~/.config/fish/completions/switchboard.fish.",
    ], examples: [Example(line: "completion bash", says: "the script for bash")]
  ) { invocation, context in
    let name = try invocation.one(.oneOf(["bash", "zsh", "fish"])).text
    context.results.output.write(formatted: ShellCompletion.script(of: name))
  }
}

/// Completion of the console's command line in a shell: the shell's script asks the console, which answers as Tab does at its
/// own prompt, but from what is known without any server.
enum ShellCompletion {
  /// The script of a shell. It asks with the line up to the cursor, and gets texts with a NUL between them:
  /// how the word at the cursor stands in the line, then of each continuation the whole word as it is meant, and what it is. An empty
  /// continuation says that there is none, and that the shell has none of its own: no file can stand there.
  /// The words are names of files and the like, made by anybody: it is the shell that quotes them, and none of them is
  /// read as a piece of a command.
  static func script(of shell: String) -> String { EmbeddedTexts.text(of: "completion." + shell) ?? "" }
}
