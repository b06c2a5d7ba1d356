import { fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { createTestApp } from '#web/test/test-app.tsx'
import { PictureField } from './picture-field.tsx'

function Picture() {
  const [file, setFile] = useState<File | null>(new File(['x'], 'me.png', { type: 'image/png' }))
  return <PictureField file={file} onChange={setFile} />
}

test('removing the picture leaves the focus at its field', async () => {
  const app = await createTestApp({ areas: ['accounts'] })
  app.show(<Picture />)
  const remove = screen.getByRole('button')
  remove.focus()
  fireEvent.click(remove)
  expect(screen.queryByRole('button')).toBeNull()
  expect(document.activeElement).toBe(document.querySelector('input[type=file]'))
})

test('an empty file is no picture, which is said before it is sent', async () => {
  const app = await createTestApp({ areas: ['accounts'] })
  app.show(<Picture />)
  const files = [new File([], 'empty.png', { type: 'image/png' })]
  fireEvent.change(screen.getByLabelText('me.png'), { target: { files } })
  expect(screen.getByRole('alert').textContent).toBe('Please choose a picture (JPEG, PNG, WebP or GIF).')
})
