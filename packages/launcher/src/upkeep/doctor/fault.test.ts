import { expect, it } from 'vitest'
import { readOnlyFault } from './fault.ts'

it('a disk that can only be read is a fault of the disk, not of owners or of the database', () => {
  const error = (code: string) => Object.assign(new Error(`${code}: chmod`), { code })
  expect(readOnlyFault(error('EROFS'), '/data')).toMatchObject({
    what: 'The data folder is on a disk that can only be read',
    where: '/data'
  })
  expect(readOnlyFault(error('EACCES'), '/data')).toBeNull()
  expect(readOnlyFault('EROFS', '/data')).toBeNull()
})
