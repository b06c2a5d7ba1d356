/**
 * The text of compose.ts without one feature: its import, the statement that makes it, and its name wherever another
 * part may take it.
 * @throws when compose.ts does not import it.
 */
export function removeFromCompose(text: string, feature: string): string {
  const imports = new RegExp(String.raw`^import [^\n]*'\./features/${feature}/[^\n]*\n`, 'gm')
  const made = [...text.matchAll(imports)].flatMap(([line]) => line.match(/\bcreate\w+/g) ?? [])
  if (made.length === 0) throw new Error(`compose.ts imports nothing that makes ${feature}`)
  let left = text.replace(imports, '')
  for (const create of made) {
    for (const statement of statementsWith(left, create)) {
      left = left.replace(statement, '')
      const name = /const (\w+) =/.exec(statement)?.[1]
      if (name !== undefined) left = removeName(left, name)
    }
  }
  return left
}

/** The whole lines of each statement of a function's body that calls `create`. */
function statementsWith(text: string, create: string): string[] {
  const statements: string[] = []
  let depth = 0
  for (const line of text.split(/(?<=\n)/)) {
    // A line that is not indented ends whatever was open: the braces of the function itself do not count.
    if (/^\S/.test(line)) depth = 0
    if (depth === 0) statements.push(line)
    else statements[statements.length - 1] += line
    if (!line.startsWith('  ')) continue
    for (const sign of line) depth += '([{'.includes(sign) ? 1 : ')]}'.includes(sign) ? -1 : 0
  }
  return statements.filter((statement) => statement.startsWith('  ') && statement.includes(`${create}(`))
}

/** `schedules`, or `gate: schedules.gate`, in a list of what another part is given. */
function removeName(text: string, name: string): string {
  const entry = String.raw`(?:\w+: )?${name}(?:\.\w+)*`
  return text
    .replaceAll(new RegExp(String.raw`,\s*${entry}(?=\s*[,}])`, 'g'), '')
    .replaceAll(new RegExp(String.raw`\{\s*${entry}\s*,\s*`, 'g'), '{ ')
}
