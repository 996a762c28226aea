"""The linear-chain conditional random field (CRF): model files, templates of features, labelling.

Zones of a paper, people of its front and fields of a reference are all labelled by such a CRF. The
package only decodes; `training/` in the repository finds the weights with CRFsuite.
"""
