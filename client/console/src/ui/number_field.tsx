// A field for a number. It takes only numbers within its range; while it holds another text it says so and the last number stays.
import { useState } from 'preact/hooks';

export interface NumberFieldProps {
  label: string;
  value: number;
  min: number;
  max: number;
  step?: number; // Whole numbers only, if it is 1.
  short?: boolean;
  onNumber(value: number): void;
}

// Returns the number that a text holds; nothing if it is no number, or none within the range and step.
export function numberIn(text: string, min: number, max: number, step: number | undefined): number | undefined {
  const value = Number(text);
  const isNumber = text.trim() !== '' && value >= min && value <= max;
  return isNumber && (step !== 1 || Number.isInteger(value)) ? value : undefined;
}

export function NumberField({ label, value, min, max, step, short, onNumber }: NumberFieldProps) {
  const [text, setText] = useState<string | undefined>(undefined); // While it is edited.
  const refused = text !== undefined && numberIn(text, min, max, step) === undefined;
  const take = (now: string) => {
    setText(now);
    const number = numberIn(now, min, max, step);
    if (number !== undefined) onNumber(number);
  };
  const range = `${step === 1 ? 'A whole number' : 'A number'} from ${min} to ${max}`;
  return (
    <>
      <input
        type="number"
        class={short ? 'short' : ''}
        aria-label={label}
        aria-invalid={refused}
        title={range}
        min={min}
        max={max}
        step={step ?? 'any'}
        value={text ?? value}
        onInput={(event) => take(event.currentTarget.value)}
        onBlur={() => setText(undefined)}
      />
      {refused && (
        <small class="bad-text" role="alert">
          {range}
        </small>
      )}
    </>
  );
}
