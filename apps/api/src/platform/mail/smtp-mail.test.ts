import { brandOf } from '@batti/contracts/brand'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterEach, expect, test } from 'vitest'
import { createMessages } from './messages.ts'
import { ReceiverRefused } from './receiver-refused.ts'
import { createSmtpMail } from './smtp-mail.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0)) await step()
})

/** A mail server that stores what it receives; `refuse` gives the status with which it refuses every receiver. */
async function mailServer({ refuse }: { refuse?: number } = {}) {
  const mails: { to: string[]; raw: string }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo(_address, _session, done) {
      done(refuse === undefined ? null : Object.assign(new Error('no'), { responseCode: refuse }))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw: Buffer.concat(chunks).toString() })
        done()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  undo.push(() => new Promise<void>((resolve) => server.close(resolve)))
  const address = server.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const sender = createSmtpMail({ url: `smtp://127.0.0.1:${port}`, from: 'Batti <no-reply@batti.test>' })
  undo.unshift(() => sender.close())
  return { mails, sender }
}

test('a code mail is delivered as text and HTML, in Nepali on request, from the brand', async () => {
  const { mails, sender } = await mailServer()
  await sender.check()
  const messages = createMessages(brandOf('ujyalo'))
  const reader = { email: 'sita@example.com', name: 'सीता', language: 'ne' as const }
  await sender.send(
    messages.codeMail('reset', reader, { code: '042137', url: 'https://batti.test/verify/x?token=abc' })
  )
  const parsed = await PostalMime.parse(mails[0]?.raw ?? '')
  expect(mails[0]?.to).toEqual(['sita@example.com'])
  expect(parsed.from).toMatchObject({ address: 'no-reply@batti.test', name: 'Batti' })
  expect(parsed.subject).toContain('Ujyalo')
  for (const part of [parsed.text, parsed.html]) {
    expect(part).toContain('042137')
    expect(part).toContain('token=abc')
    expect(part).toContain('सीता')
  }
  expect(parsed.html).toContain('lang="ne"')
})

test('no name or address can add a header or a second receiver', async () => {
  const { mails, sender } = await mailServer()
  const messages = createMessages(brandOf('batti'))
  const name = 'a\r\nBcc: everybody@example.com'
  await sender.send(
    messages.codeMail('registration', { email: 'sita@example.com', name, language: 'en' }, { code: '123456' })
  )
  await sender
    .send(
      messages.codeMail(
        'registration',
        { email: 'x@example.com, everybody@example.com', name: 'x', language: 'en' },
        {}
      )
    )
    .catch(() => undefined)
  expect(mails[0]?.to).toEqual(['sita@example.com'])
  expect(mails.flatMap(({ to }) => to)).not.toContain('everybody@example.com')
  const parsed = await PostalMime.parse(mails[0]?.raw ?? '')
  expect(parsed.bcc ?? []).toEqual([])
})

test.each([
  [450, true],
  [550, true],
  [421, false]
])('the answer %i to a receiver is about that receiver: %s', async (refuse, isOfReceiver) => {
  const { sender } = await mailServer({ refuse })
  const mail = { to: 'sita@nowhere.invalid', subject: 'Code', text: '042137', html: '' }
  const failure: unknown = await sender.send(mail).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Error)
  expect(failure instanceof ReceiverRefused).toBe(isOfReceiver)
})

test('an unreachable server is reported as a failure', async () => {
  const { sender } = await mailServer()
  await undo.pop()?.()
  await expect(sender.check()).rejects.toThrow(/ECONNREFUSED|closed/i)
})
