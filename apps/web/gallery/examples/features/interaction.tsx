import { type ReactNode, useState } from 'react';
import { Button } from '#web/shared/ui/controls/Button.tsx';

/** A button that opens an example which covers the page, such as a sheet. */
export function ToOpen({ children }: { children: (close: () => void) => ReactNode }) {
  const [is_open, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" kind="secondary" onClick={() => setOpen(true)}>
        Open
      </Button>
      {is_open && children(() => setOpen(false))}
    </>
  );
}

interface ToChangeProps<Value> {
  first: Value;
  children: (value: Value, onChange: (value: Value) => void) => ReactNode;
}

/** An example that keeps the chosen or typed value. */
export function ToChange<Value>({ first, children }: ToChangeProps<Value>) {
  const [value, setValue] = useState(first);
  return children(value, setValue);
}

export const ignore = () => {};
