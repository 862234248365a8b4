import { Box, Group, Button as LibraryButton, SegmentedControl, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconPlus, IconX } from "@tabler/icons-react";
import { createContext, useContext, useId } from "react";
import { Button, IconButton } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { Origin } from "../../domain/decision/origin.tsx";
import { type Path, toPointer } from "../../lib/json-text.ts";
import { type Field, type Fields, fieldLabel, initialValues, parseNumber, startingValue } from "./fields.ts";
import { valueAt } from "./json-body.ts";
import { PickInput, PickList } from "./pick-input.tsx";
import type { RequestCheck } from "./request-check.ts";

type Finding = RequestCheck["findings"][number];

interface Form {
  readonly operation: string;
  readonly value: unknown;
  /** The value at a path as written in the JSON: `0.0` stays `0.0`. */
  readonly writtenAt: (path: Path) => string | undefined;
  readonly findings: readonly Finding[];
  readonly pointer: string | null;
  readonly onPointer: (pointer: string) => void;
  /** Writes a value at a path; undefined removes it. `order` is the order of the sibling fields. */
  readonly onWrite: (path: Path, value: unknown, order?: readonly string[]) => void;
}

const FormContext = createContext<Form | null>(null);
const useForm = (): Form => {
  const form = useContext(FormContext);
  if (form === null) throw new Error("a field outside of a form");
  return form;
};

/** Removes the field's path from a message that is shown beside the field. */
const messageText = ({ pointer, message }: Finding): string => message.replace(`${pointer} `, "");

const Faults = ({ of, id }: { of: readonly Finding[]; id: string }) =>
  of.length === 0 ? null : (
    <Stack component="span" gap={2} id={id}>
      {of.map((one) => (
        <Text key={one.message} className="field-error" c="var(--bad-text)" style={{ overflowWrap: "anywhere" }}>
          <Icon of={IconAlertTriangle} size={14} />
          <span>
            {messageText(one)} <Text variant="mono">{one.pointer}</Text>
          </span>
        </Text>
      ))}
    </Stack>
  );

interface InputProps {
  readonly field: Field;
  readonly path: Path;
  readonly label: string;
  readonly isWrong: boolean;
  readonly describedBy: string | undefined;
}

const Typed = ({ field, path, label, isWrong, describedBy }: InputProps) => {
  const { operation, value: body, writtenAt, onWrite, onPointer } = useForm();
  const value = valueAt(body, path);
  const written = typeof value === "string" ? value : writtenAt(path);
  const write = (text: string) => onWrite(path, field.kind === "number" ? parseNumber(text) : text);
  return (
    <PickInput
      operation={operation}
      path={path}
      body={body}
      label={label}
      value={value === null ? "" : (written ?? "")}
      isWrong={isWrong}
      describedBy={describedBy}
      isMono={field.kind === "number" || field.takes.startsWith("UUID")}
      onFocus={() => onPointer(toPointer(path))}
      onChange={write}
    />
  );
};

const Choices = ({
  path,
  label,
  choices,
  value,
}: {
  path: Path;
  label: string;
  choices: readonly unknown[];
  value: unknown;
}) => {
  const { onWrite, onPointer } = useForm();
  const options = choices.map((one) => ({ value: String(one), label: String(one) }));
  return (
    <Box component="span" className="scroll" flex={1} miw={0} onFocus={() => onPointer(toPointer(path))}>
      <SegmentedControl
        aria-label={label}
        data={options}
        value={String(value)}
        onChange={(next) =>
          onWrite(
            path,
            choices.find((one) => String(one) === next),
          )
        }
      />
    </Box>
  );
};

/** Longer lists are edited as JSON. */
const MAX_TEXTS = 50;

/** A list of texts as tags; other lists are edited as JSON. */
const List = ({ path, label, isWrong, describedBy }: InputProps) => {
  const { operation, value: body, onWrite, onPointer } = useForm();
  const items = valueAt(body, path);
  if (!Array.isArray(items) || items.length > MAX_TEXTS || !items.every((one) => typeof one === "string"))
    return <JsonHint path={path} />;
  return (
    <PickList
      {...{ operation, path, body, label, isWrong, describedBy }}
      value={items}
      onFocus={() => onPointer(toPointer(path))}
      onChange={(next) => onWrite(path, next)}
    />
  );
};

/** A choice between several objects, by their distinguishing field. */
const Variants = ({ path, variants, label }: { path: Path; variants: readonly Fields[]; label: string }) => {
  const { value: body, onWrite } = useForm();
  const value = valueAt(body, path);
  const keyOf = (fields: Fields): string => [...fields].find(([, { required }]) => required)?.[0] ?? "";
  const isThere = (key: string) => typeof value === "object" && value !== null && Object.hasOwn(value, key);
  const chosen = variants.find((fields) => isThere(keyOf(fields))) ?? variants[0];
  if (chosen === undefined) return null;
  return (
    <>
      <Box p="4px 12px 2px">
        <SegmentedControl
          aria-label={`${label}, by`}
          data={variants.map((fields) => ({ value: keyOf(fields), label: fieldLabel(keyOf(fields)) }))}
          value={keyOf(chosen)}
          onChange={(key) => onWrite(path, initialValues(variants.find((one) => keyOf(one) === key) ?? chosen))}
        />
      </Box>
      <FieldLines fields={chosen} path={path} />
    </>
  );
};

const JsonHint = ({ path }: { path: Path }) => {
  const { writtenAt, onPointer } = useForm();
  return (
    <Group component="span" align="baseline" flex={1} miw={0}>
      <Text component="code" variant="mono" c="dimmed" truncate>
        {writtenAt(path)}
      </Text>
      <Text
        type="button"
        component="button"
        size="xs"
        flex="none"
        className="lnk"
        onClick={() => onPointer(toPointer(path))}
      >
        Edit in JSON
      </Text>
    </Group>
  );
};

const Input = (props: InputProps) => {
  const { field, path, label } = props;
  const { value: body } = useForm();
  const value = valueAt(body, path);
  if (value === null) return null;
  switch (field.kind) {
    case "choice":
      return field.choices.length > 5 ? (
        <Typed {...props} />
      ) : (
        <Choices path={path} label={label} choices={field.choices} value={value} />
      );
    case "yesno":
      return <Choices path={path} label={label} choices={[true, false]} value={value} />;
    case "object":
      return <FieldLines fields={field.fields} path={path} />;
    case "variants":
      return <Variants path={path} variants={field.variants} label={label} />;
    case "list":
      return field.item.kind === "text" ? <List {...props} /> : <JsonHint path={path} />;
    case "json":
      return <JsonHint path={path} />;
    default:
      return <Typed {...props} />;
  }
};

const Sides = ({ field, path, label }: Pick<LineProps, "field" | "path" | "label">) => {
  const { value: body, onWrite } = useForm();
  const isNull = valueAt(body, path) === null;
  return (
    <>
      {field.nullable && (
        <LibraryButton
          variant={isNull ? "filled" : "default"}
          ff="monospace"
          aria-pressed={isNull}
          aria-label={`${label}: null`}
          onClick={() => onWrite(path, isNull ? startingValue(field) : null)}
        >
          null
        </LibraryButton>
      )}
      {!field.required && (
        <IconButton small icon={IconX} label={`Leave ${label} out`} onClick={() => onWrite(path, undefined)} />
      )}
    </>
  );
};

interface LineProps {
  readonly name: string;
  readonly field: Field;
  readonly path: Path;
  readonly label: string;
}

/** A present or required field: label, valid values, value and problem. */
const FieldLine = ({ name, field, path, label }: LineProps) => {
  const { findings, pointer } = useForm();
  const id = useId();
  const here = toPointer(path);
  const nested = field.kind === "object" || field.kind === "variants";
  const isAt = (at: string) => at === here || (!nested && at.startsWith(`${here}/`));
  const own = findings.filter((one) => isAt(one.pointer));
  const isWrong = own.length > 0;
  const input: InputProps = { field, path, label, isWrong, describedBy: isWrong ? id : undefined };
  const head = (
    <Group component="span" wrap="wrap" gap="0 6px" align="baseline" flex={1} miw={0} title={field.description}>
      <Text component="b" size="sm" fw={500}>
        {label}
      </Text>
      <Text variant="mono" c="dimmed" truncate>
        {name}
      </Text>
      {field.decisions.map((one) => (
        <Origin key={one} of="assumption" id={one} />
      ))}
      <Group component="span" fz="xs" lh="xs" c="dimmed" ml="auto" miw={0}>
        {field.required && (
          <Text c="secondary" fw={500}>
            required
          </Text>
        )}
        <Text truncate>{field.takes}</Text>
      </Group>
    </Group>
  );
  const content = nested ? (
    <>
      <Group component="span" gap={6} align="flex-start" wrap="nowrap">
        {head}
        <Sides {...{ field, path, label }} />
      </Group>
      <Box my={2} ml={-10} style={{ borderLeft: "1px solid var(--line)" }}>
        <Input {...input} />
      </Box>
    </>
  ) : (
    <>
      {head}
      <Group component="span" gap={6} align="flex-start" wrap="nowrap">
        <Input {...input} />
        <Sides {...{ field, path, label }} />
      </Group>
    </>
  );
  return (
    <Stack
      gap={4}
      p={fieldPadding(path.slice(1))}
      className={isWrong ? "toned bad" : ""}
      data-pointer={here}
      data-chosen={(!isWrong && pointer !== null && isAt(pointer)) || undefined}
    >
      {content}
      <Faults of={own} id={id} />
    </Stack>
  );
};

/** Indents nested fields. */
const fieldPadding = ({ length }: Path): string => (length > 0 ? "4px 0 4px 12px" : "6px 16px");

/** An object's present and required fields, and buttons to add others. */
const FieldLines = ({ fields, path }: { fields: Fields; path: Path }) => {
  const { operation: whole, value: body, onWrite, onPointer } = useForm();
  // Only top-level fields have operation-specific labels.
  const operation = path.length === 0 ? whole : null;
  const order = [...fields.keys()];
  const isShown = ([name, field]: readonly [string, Field]) =>
    field.required || valueAt(body, [...path, name]) !== undefined;
  const left = [...fields].filter((one) => !isShown(one));
  const putIn = (name: string, field: Field) => {
    onWrite([...path, name], startingValue(field), order);
    onPointer(toPointer([...path, name]));
  };
  return (
    <>
      {[...fields].filter(isShown).map(([name, field]) => (
        <FieldLine key={name} name={name} field={field} path={[...path, name]} label={fieldLabel(name, operation)} />
      ))}
      {left.length > 0 && (
        <Group wrap="wrap" gap={6} p={fieldPadding(path)}>
          <Text variant="aside">Left out</Text>
          {left.map(([name, field]) => (
            <Button key={name} small icon={IconPlus} title={name} onClick={() => putIn(name, field)}>
              {fieldLabel(name, operation)}
            </Button>
          ))}
        </Group>
      )}
    </>
  );
};

/** A body as a form. Changes are written to the JSON, and invalid values can be sent, too. */
export const BodyForm = ({
  fields,
  isStale,
  ...form
}: Form & { readonly fields: Fields; readonly isStale: boolean }) => (
  <FormContext value={form}>
    <Box component="fieldset" pt={6} pb="lg" opacity={isStale ? 0.6 : 1} disabled={isStale}>
      <legend className="sr">Fields of the body</legend>
      {fields.size === 0 ? (
        <Text component="p" variant="note" p="6px 16px">
          This operation has no fields.
        </Text>
      ) : (
        <FieldLines fields={fields} path={[]} />
      )}
    </Box>
  </FormContext>
);
