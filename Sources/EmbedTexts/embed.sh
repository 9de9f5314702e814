#!/bin/sh
# usage: embed.sh OUTPUT FILE...
# Writes a Swift file with the texts of files.
set -eu
output=$1
shift
{
  echo '/// Texts that stand in files of their own. Generated.'
  echo 'enum EmbeddedTexts {'
  echo '  /// The names of the files, in order.'
  printf '  static let names = ['
  for file; do printf '"%s", ' "$(basename "$file")"; done
  echo ']'
  echo '  /// The text of a file; nil where there is none.'
  echo '  static func text(of name: String) -> String? {'
  echo '    switch name {'
  for file; do
    printf '    case "%s": return ###"""\n' "$(basename "$file")"
    cat "$file"
    printf '\n"""###\n'
  done
  echo '    default: return nil'
  echo '    }'
  echo '  }'
  echo '}'
} >"$output"
