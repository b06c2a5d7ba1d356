import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { systemClock } from '@batti/kit/clock'
import { messageOf } from '@batti/kit/message-of'
import { readConfig } from '../../platform/config.ts'
import { createAccountModel } from './account.model.ts'
import bcrypt from 'bcrypt'
import { createAccountsRepository } from './accounts.repository.ts'
import { createFirstAdmin } from './first-admin.ts'
import { createPasswordQueue } from './password/password-queue.ts'
import { readCommonPasswords } from './password/common-passwords.ts'
import { createPasswords } from './password/password.ts'
import { createLogger } from '../../platform/log/log.ts'
import { createSecurityLog } from '../../platform/log/security-log.ts'
import { connectDatabase } from '../../platform/store/database.ts'
import { ensureIndexes } from '../../platform/store/ensure-indexes.ts'

const usage = `Makes an admin, or makes the account that has this e-mail one.

  node apps/api/src/features/accounts/admin-cli.ts create --email ADDRESS [--name NAME]

The password of a new account is the first line of standard input: it never stands in the list of processes.
Settings are the api's own (MONGODB_URI and so on).
`

async function firstLine(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Password of the new admin: ')
  for await (const line of createInterface({ input: process.stdin })) return line
  return ''
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { email: { type: 'string' }, name: { type: 'string' }, help: { type: 'boolean' } }
  })
  const { email, name } = values
  if (values.help === true || positionals[0] !== 'create' || email === undefined) {
    process.stderr.write(usage)
    return values.help === true ? 0 : 2
  }
  const config = readConfig()
  const connection = await connectDatabase(config.MONGODB_URI)
  try {
    const model = createAccountModel(connection)
    await ensureIndexes(model)
    const admins = createFirstAdmin({
      accounts: createAccountsRepository(model),
      passwords: createPasswords({
        bcrypt,
        cost: config.BCRYPT_COST,
        common: readCommonPasswords(),
        run: createPasswordQueue(1)
      }),
      clock: systemClock,
      security: createSecurityLog(createLogger(config))
    })
    const outcome = await admins.create({ email, name, password: await firstLine() })
    process.stderr.write(
      outcome === 'created' ? `${email} is an admin now.\n` : `${email} had an account: it is an admin's now.\n`
    )
    return 0
  } finally {
    await connection.close()
  }
}

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exitCode = 1
}
