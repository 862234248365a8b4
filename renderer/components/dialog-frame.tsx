import { Modal, type ModalProps } from "@mantine/core";
import type { ReactNode } from "react";
import "@mantine/core/styles/CloseButton.layer.css";
import "@mantine/core/styles/Paper.layer.css";
import "@mantine/core/styles/ModalBase.layer.css";
import "@mantine/core/styles/Modal.layer.css";

/** While it closes it is inert: the library gives its first field the focus a moment after it opened, and may be late. */
export const DialogFrame = ({ meanwhile: _over, ...props }: ModalProps & { readonly meanwhile?: ReactNode }) => (
  <Modal {...props} inert={!props.opened} />
);
