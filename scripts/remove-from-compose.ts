/**
 * Removes one feature from the text of compose.ts: its import, the statement that creates it, and its name wherever it is
 * an optional argument of another part.
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

/** Returns the whole lines of each statement in a function's body that calls `create`. */
function statementsWith(text: string, create: string): string[] {
  const statements: string[] = []
  let depth = 0
  for (const line of text.split(/(?<=\n)/)) {
    // A line without indentation resets the depth: the braces of the function itself do not count.
    if (/^\S/.test(line)) depth = 0
    if (depth === 0) statements.push(line)
    else statements[statements.length - 1] += line
    if (!line.startsWith('  ')) continue
    for (const sign of line) depth += '([{'.includes(sign) ? 1 : ')]}'.includes(sign) ? -1 : 0
  }
  return statements.filter((statement) => statement.startsWith('  ') && statement.includes(`${create}(`))
}

/** Removes `schedules`, or `gate: schedules.gate`, from the arguments of another part. */
function removeName(text: string, name: string): string {
  const entry = String.raw`(?:\w+: )?${name}(?:\.\w+)*`
  return text
    .replaceAll(new RegExp(String.raw`,\s*${entry}(?=\s*[,}])`, 'g'), '')
    .replaceAll(new RegExp(String.raw`\{\s*${entry}\s*,\s*`, 'g'), '{ ')
}
