import { expect, it } from 'vitest'
import { guideStamps } from './user-guide.ts'

it('the PDF is what the guide’s text says today (else: node scripts/build-user-guide.ts)', async () => {
  const { wanted, built } = await guideStamps()
  expect(built).toBe(wanted)
})
