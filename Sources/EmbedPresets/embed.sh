#!/bin/sh
# usage: embed.sh OUTPUT FILE...
# Writes a Swift file with the texts of the presets.
set -eu
output=$1
shift
{
  echo '/// The presets as text. Generated.'
  echo 'enum PresetTexts {'
  echo '  /// The names, in order.'
  printf '  static let names = ['
  for file; do printf '"%s", ' "$(basename "$file" .yaml)"; done
  echo ']'
  echo '  /// The text of a preset; nil where there is none.'
  echo '  static func text(of name: String) -> String? {'
  echo '    switch name {'
  for file; do
    printf '    case "%s": return ###"""\n' "$(basename "$file" .yaml)"
    cat "$file"
    printf '\n"""###\n'
  done
  echo '    default: return nil'
  echo '    }'
  echo '  }'
  echo '}'
} >"$output"
